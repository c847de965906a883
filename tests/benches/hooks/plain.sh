# The `dev` preset as a hook by hand: what most people would write for one event.
payload=$(cat)
path=$HOOK_STATE
[ -f "$path" ] || echo '{"read":[],"reads":0,"changes":0,"streak":["",0],"calls":0}' > "$path"
tool=$(jq -r .tool_name <<< "$payload")
blocked= said=
case $tool in
  Bash)
    command=$(jq -r .tool_input.command <<< "$payload")
    grep -Eq '\brm +-[a-z]*r|\bgit +(reset +--hard|push .*(--force|-f)|clean +-[a-z]*f)' <<< "$command" &&
      blocked='this destroys what may not come back'
    grep -Eq '\b(cat|head|tail|sed|awk) +[^|;&]*[a-z]+\.[a-z]+' <<< "$command" && said='use the read tool'
    grep -Eq '\b(find +\.|ls +-[a-z]*[lRa]|tree)\b' <<< "$command" && said='search for what you need'
    ;;
  Edit | Write)
    file=$(jq -r .tool_input.file_path <<< "$payload")
    jq -e --arg file "$file" '.read | index($file)' "$path" > /dev/null || [ ! -e "$file" ] ||
      blocked='read the file first'
    ;;
esac
jq --arg tool "$tool" '.calls += 1 | .streak = [$tool, (if .streak[0] == $tool then .streak[1] + 1 else 1 end)]' \
  "$path" > "$path.new" && mv "$path.new" "$path"
if [ -n "$blocked" ]; then
  jq -nc --arg why "$blocked" '{hookSpecificOutput: {hookEventName: "PreToolUse",
    permissionDecision: "deny", permissionDecisionReason: $why}}'
elif [ -n "$said" ]; then
  jq -nc --arg what "$said" '{hookSpecificOutput: {hookEventName: "PreToolUse", additionalContext: $what}}'
fi
