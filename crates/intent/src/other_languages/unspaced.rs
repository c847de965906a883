//! The same of languages that are written without blanks, or whose verbs have endings: Chinese, Japanese, Korean. Their words
//! are looked for as texts.

use std::borrow::Cow;

/// Verbs of languages that are written without blanks, or whose verbs have endings: Chinese, Japanese, Korean. Longer ones
/// come before those that they begin with.
const UNSPACED: &[(&str, &str)] = &[
    ("推送通知", "notification"),
    ("强制推送", "force-push"),
    ("强推", "force-push"),
    ("推一下", "push"),
    ("強制プッシュ", "force-push"),
    ("提交并推送", "commit and push"),
    ("推送", "push"),
    ("推到", "push to"),
    ("推上去", "push it"),
    ("提交", "commit"),
    ("合并", "merge"),
    ("合到", "merge to"),
    ("删除", "delete"),
    ("消して", "delete"),
    ("删掉", "delete"),
    ("删了", "delete"),
    ("发布", "publish"),
    ("部署", "deploy"),
    ("上线", "deploy"),
    ("回滚", "undo"),
    ("撤销", "undo"),
    ("丢弃", "discard"),
    ("关闭", "close"),
    ("クローズ", "close"),
    ("닫아", "close"),
    ("タグを切って", "tag"),
    ("タグを打って", "tag"),
    ("评论", "comment"),
    ("创建", "create"),
    ("新建", "create"),
    ("提个", "create"),
    ("提一个", "create"),
    ("开个", "create"),
    ("プッシュ", "push"),
    ("コミット", "commit"),
    ("マージ", "merge"),
    ("削除", "delete"),
    ("公開", "publish"),
    ("リリース", "release"),
    ("デプロイ", "deploy"),
    ("作成", "create"),
    ("作ら", "create"),
    ("作っ", "create"),
    ("푸시", "push"),
    ("커밋", "commit"),
    ("머지", "merge"),
    ("병합", "merge"),
    ("삭제", "delete"),
    ("배포", "deploy"),
    ("만들", "create"),
    ("破棄", "discard"),
    ("放弃", "discard"),
    // Words of English among those signs.
    ("push", "push"),
    ("commit", "commit"),
    ("merge", "merge"),
];

/// What stands around those.
const UNSPACED_AROUND: &[(&str, &str)] = &[
    ("请", "please"),
    ("帮我", "please"),
    ("能", "can you"),
    ("可以", "can you"),
    ("くれますか", "can you"),
    ("もらえますか", "can you"),
    ("然后", ","),
    ("并且", ","),
    ("并", ","),
    ("再", ","),
    ("、", ","),
    ("到", "to"),
    ("分支", "branch"),
    ("表", "table"),
    ("テーブル", "table"),
    ("タグ", "tag"),
    ("所有", "all"),
    ("未提交的", "uncommitted"),
    ("未提交", "uncommitted"),
    ("コミットしていない", "uncommitted"),
    ("改动", "changes"),
    ("修改", "changes"),
    ("更改", "changes"),
    ("代码", "changes"),
    ("远程", "remote"),
    ("把", ""),
    ("将", ""),
    ("吧", ""),
    ("一下", ""),
    ("プルリクエスト", "PR"),
    ("ブランチ", "branch"),
    ("ローカル", "local"),
    ("すべて", "all"),
    ("全て", "all"),
    ("本地", "local"),
    ("変更", "changes"),
    ("してから", ","),
    ("して", ","),
    ("してください", ""),
    ("하고", ","),
    ("해줘", ""),
];

/// What says in those languages that somebody has to agree first.
const UNSPACED_APPROVING: &[&str] = &[
    "批准后",
    "批准之后",
    "批准后再",
    "同意后",
    "确认后",
    "審査後",
    "承認したら",
    "承認後",
    "승인 후",
    "승인하면",
    "확인 후",
];

/// What something is called that is written or made, in those languages: behind a verb it is a noun of both.
const UNSPACED_NOUNS: &[&str] = &[
    "前",
    "脚本",
    "按钮",
    "文档",
    "流程",
    "通知",
    "说明",
    "的脚本",
    "スクリプト",
    "ボタン",
    "ノート",
    "通知",
    "手順",
    "準備",
    "スクリプトを",
    " 스크립트",
    "스크립트",
    " 알림",
    "알림",
    "버튼",
    "문서",
];

/// Words by which something is written or made in those languages, and not done.
const UNSPACED_WRITING: &[&str] = &[
    "写",
    "编写",
    "添加",
    "加一个",
    "加个",
    "更新",
    "整理",
    "書いて",
    "追加",
    "実装",
    "まとめ",
    "更新して",
    "작성",
    "구현",
    "추가",
];

/// Whether a clause speaks of writing or making such a thing.
fn writes_something(clause: &str) -> bool {
    has(UNSPACED_WRITING, clause) && has(UNSPACED_NOUNS, clause)
}

/// Whether a verb stands in a clause, and not as a part of such a noun.
fn has_verb(clause: &str, verb: &str) -> bool {
    clause.match_indices(verb).any(|(at, _)| {
        let behind = clause.get(at + verb.len()..).unwrap_or_default();
        !UNSPACED_NOUNS.iter().any(|noun| behind.starts_with(noun))
    })
}

/// What says no in those languages.
const UNSPACED_NOT: &[&str] = &[
    "待って",
    "待った",
    "等一下",
    "先等",
    "기다려",
    "不",
    "别",
    "勿",
    "ないで",
    "しない",
    "지 마",
    "지 말",
    "말고",
    "마세요",
    "하지",
];

/// What tells in those languages of what is not asked for: it was done, or somebody wants to know.
const UNSPACED_TOLD: &[&str] = &[
    "没有",
    "未",
    "已",
    "怎么",
    "如何",
    "为什么",
    "为何",
    "什么",
    "失败",
    "成功",
    "时候",
    "之前",
    "ました",
    "された",
    "したら",
    "なぜ",
    "どう",
    "した",
    "自己",
    "我来",
    "私がや",
    "僕がや",
    "俺がや",
    "等我",
    "自分で",
    "仕組み",
    "説明して",
    "調べて",
    "原因",
    "理由",
    "手順",
    "とは",
    "解释",
    "怎样",
    "介绍",
    "설명",
    "이유",
    "원인",
    "제가",
    "내가",
    "했",
    "됐",
    "어떻게",
];

/// A line with blanks around the words of languages that are written without, and the signs of sentences in them.
pub(super) fn spaced(line: &str) -> Cow<'_, str> {
    if line.is_ascii() || !line.contains(is_unspaced) {
        return Cow::Borrowed(line);
    }
    let mut out = line.to_owned();
    const PLAIN: [(&str, &str); 8] = [
        ("。", ". "),
        ("！", "! "),
        ("？", "? "),
        ("；", "; "),
        ("，", ", "),
        // Both ways to ask the same, without a no.
        ("要不要", "要"),
        ("能不能", "能"),
        ("可不可以", "可以"),
    ];
    for (sign, plain) in PLAIN {
        out = out.replace(sign, plain);
    }
    Cow::Owned(out)
}

pub(super) fn is_unspaced(sign: char) -> bool {
    matches!(sign, '\u{3001}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// What a sentence without blanks asks for.
pub(super) fn unspaced(sentence: &str) -> Option<String> {
    if has(UNSPACED_APPROVING, sentence) {
        return Some(String::new());
    }
    let is_told = |clause: &str| has(UNSPACED_TOLD, &clause.replace("未提交", ""));
    let asks = |clause: &str| {
        let is_verb =
            |(word, _): &(&str, &str)| has_verb(clause, word) && !writes_something(clause);
        // "May one …?" asks whether it may be done.
        let is_question =
            clause.contains("可以") && clause.contains('吗') && !clause.contains('你');
        UNSPACED.iter().any(is_verb) && !is_told(clause) && !is_question
    };
    if !sentence.split(',').any(asks) {
        // A word of English in it is told of, too.
        let has_english = sentence.bytes().any(|byte| byte.is_ascii_alphabetic());
        return (has_english && is_told(sentence)).then(String::new);
    }
    let english = sentence.split(',').map(|clause| match clause {
        clause if is_told(clause) => String::new(),
        clause if !asks(clause) => clause.to_owned(),
        clause if has(UNSPACED_NOT, clause) => format!("do not {}", clause_in_english(clause)),
        clause => clause_in_english(clause),
    });
    Some(english.collect::<Vec<_>>().join(", "))
}

fn has(words: &[&str], clause: &str) -> bool {
    words.iter().any(|word| clause.contains(word))
}

fn clause_in_english(clause: &str) -> String {
    let mut parts = vec![Part::default()];
    let mut rest = clause;
    while let (Some(sign), Some(part)) = (rest.chars().next(), parts.last_mut()) {
        let starts = |(word, _): &&(&str, &str)| rest.starts_with(word);
        let verb = UNSPACED.iter().find(starts);
        let around = UNSPACED_AROUND.iter().filter(starts).max_by_key(|(word, _)| word.len());
        let taken = match (verb, around) {
            (Some((word, english)), _) if part.verb.is_none() => {
                part.verb = Some(english);
                word
            }
            (Some((word, english)), _) => {
                parts.push(Part { verb: Some(english), ..Part::default() });
                word
            }
            (None, Some((word, ","))) => {
                parts.push(Part::default());
                word
            }
            (None, Some((word, english))) => {
                part.say(english);
                word
            }
            (None, None) => {
                part.spell(sign);
                rest.get(..sign.len_utf8()).unwrap_or_default()
            }
        };
        rest = rest.get(taken.len()..).unwrap_or_default();
    }
    let parts = parts.into_iter().map(Part::text).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" and ")
}

/// A part of a sentence without blanks.
#[derive(Default)]
struct Part {
    verb: Option<&'static str>,
    rest: String,
}

impl Part {
    fn say(&mut self, english: &str) {
        self.rest.push(' ');
        self.rest.push_str(english);
        self.rest.push(' ');
    }

    /// Takes up a sign: of names, such as `main`, and a blank for all that has no meaning here.
    fn spell(&mut self, sign: char) {
        self.rest.push(if is_unspaced(sign) { ' ' } else { sign });
    }

    fn text(self) -> String {
        let can_you = self.rest.contains("can you").then_some("can you");
        let rest = self.rest.replace("can you", "");
        let words = can_you.into_iter().chain(self.verb).chain(rest.split_whitespace());
        words.collect::<Vec<_>>().join(" ")
    }
}
