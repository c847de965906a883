#!/usr/bin/env bash
# Installs code-server, a VS Code that a browser shows, into the folder that is named, for `npm run test:editor`.
# From the npm registry alone: its own installation fetches a search program from elsewhere, in whose place Debian's is
# put. Wants Node 20 with npm, a C++ compiler, ripgrep, and the headers of Kerberos (libkrb5-dev).
set -euo pipefail

folder=${1:?usage: install-code-server.sh FOLDER}
version=4.100.3

mkdir -p "$folder"
cd "$folder"
folder=$PWD
[ -f package.json ] || echo '{ "private": true }' > package.json
npm install "code-server@$version" --ignore-scripts --no-audit --no-fund
npm rebuild argon2 --foreground-scripts

cd node_modules/code-server/lib/vscode
npm install --ignore-scripts --omit=dev --no-audit --no-fund
npm_config_yes=true npm rebuild @parcel/watcher @vscode/spdlog kerberos native-watchdog node-pty --foreground-scripts
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
ln -sfn node_modules node_modules.asar
cd extensions
if [ -f package.json ]; then npm install --ignore-scripts --omit=dev --no-audit --no-fund; fi
"$folder/node_modules/.bin/code-server" --version
