//! What a user asks for in other languages than English, put into the English words that rules ask for: "bitte auf main
//! pushen" becomes "please push to main". Only requests are put so: who reports, or asks how, has asked for nothing. What
//! has no such verb stays as it is. Knows no rules.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::sentences::sentences;

/// English verbs, each with how people say it who want it done: German, French, Spanish, Portuguese, Italian, Dutch,
/// Russian. Such a word begins what is asked for. Forms of the past are left out, since they report.
const IMPERATIVES: &[(&str, &str)] = &[
    (
        "push",
        "pushe pusht schieb schiebe schiebt pousse poussez pushez pushea pusheá pusha pushees sube suba subas empuje \
         empujes запушь запуши пуш пушь",
    ),
    ("push it", "súbelo subilo pushéalo manda"),
    ("force-push", "force-pushe force-pushen"),
    ("commit", "commite commitea commiteá committa committe committet commitez закоммить"),
    (
        "merge",
        "fusionne fusionnez fusiona fusione fusiones mergea mergeá mergez mergt merg смержи влей",
    ),
    (
        "close",
        "schließ schließe schliess schliesse schließt ferme fermez cierra cierre cierres cerrá fecha feche chiudi sluit закрой",
    ),
    (
        "delete",
        "apaga apague borra borre borres cancella efface elimina elimine elimines exclua lösche lösch löscht supprime supprimez verwijder удали wirf \
         schmeiß schmeiss jette vire quita quitá quite quites",
    ),
    ("remove", "entferne rimuovi enlève убери"),
    ("create", "crea cria crie crée créez erstell erstelle создай"),
    ("open", "abre ouvre öffne открой"),
    (
        "write",
        "escreve escreva schreib schreibe schreibt écris écrivez escribe scrivi schrijf напиши",
    ),
    (
        "publish",
        "publica publique publiques publie publiez pubblica veröffentliche publiceer опубликуй",
    ),
    (
        "deploy",
        "deploya deploye deployea despliega despliegue despliegues déploie déployez задеплой разверни",
    ),
    ("undo", "annule annulla deshaz desfaz откати"),
    ("discard", "descarta descarte descartes verwerfe verwirf"),
    ("comment", "comenta commente kommentiere kommentier"),
];

/// The same as it stands behind "can you", and in German at the end.
const INFINITIVES: &[(&str, &str)] = &[
    ("push", "pushen pousser pushear pushar pushare subir запушить"),
    ("commit", "committen commiten commiter commitear commitar закоммитить"),
    ("merge", "mergen fusionner fusionar mergear смержить"),
    ("close", "schließen schliessen fermer cerrar fechar chiudere sluiten закрыть"),
    ("drop", "droppen dropper dropear"),
    (
        "delete",
        "löschen supprimer effacer borrar apagar eliminar eliminare cancellare excluir \
         verwijderen удалить",
    ),
    ("remove", "entfernen enlever rimuovere убрать"),
    ("create", "erstellen créer crear criar creare создать"),
    ("open", "öffnen ouvrir abrir открыть"),
    ("publish", "veröffentlichen publier publicar pubblicare publiceren опубликовать"),
    ("deploy", "deployen ausrollen déployer desplegar задеплоить развернуть"),
    ("undo", "annuler rückgängig"),
    ("discard", "verwerfen descartar"),
    ("reset", "zurücksetzen"),
    ("clean up", "aufräumen"),
    ("upload", "hochladen téléverser"),
    ("comment", "kommentieren commenter comentar"),
    ("push it", "subirlo pushearlo"),
];

/// English verbs, each with how an agent says it that asks whether to do it: "¿Borro la rama?".
const OFFERED: &[(&str, &str)] = &[
    ("push", "subo pusheo empujo"),
    ("commit", "commiteo"),
    ("merge", "fusiono mergeo"),
    ("delete", "borro elimino apago cancello"),
    ("publish", "publico pubblico"),
    ("deploy", "despliego"),
    ("close", "cierro fecho chiudo"),
];

/// Verbs that people of all languages take from English, behind a word such as "make".
const BORROWED: &[&str] = &["push", "commit", "merge", "deploy", "release", "rebase", "reset"];

/// How people say of something that it shall go.
const PASSIVE: &[(&str, &str)] = &[
    (" kann weg", " can go"),
    (" können weg", " can go"),
    (" kann gelöscht werden", " can be deleted"),
    (" können gelöscht werden", " can be deleted"),
    (" peut être supprimé", " can be deleted"),
    (" se puede borrar", " can be deleted"),
    (" pode ser apagado", " can be deleted"),
];

/// What stands around the verbs. The first word is what it becomes; what becomes nothing is left out.
const AROUND: &[(&str, &str)] = &[
    ("please", "bitte veuillez porfa пожалуйста alsjeblieft"),
    (
        "make",
        "dar mach mache machen haz hacé hagas hacer fais faites faire fai fare faz faça fazer dê dá сделай \
         сделать",
    ),
    ("and", "und et y e и"),
    (
        "then",
        "dann danach puis ensuite luego después entonces depois então poi потом затем jetzt nun \
         maintenant ahora agora adesso теперь",
    ),
    ("all", "alles alle tout toutes tous todos todas todo tudo tutto tutte tutti все всё"),
    ("local", "lokal lokale lokalen locale locales locaux locais locali локальные"),
    (
        "changes",
        "änderungen changements modifications modifs cambios mudanças alterações modifiche \
         wijzigingen изменения",
    ),
    ("branch", "zweig branche rama ramo ветку ветка"),
    ("table", "tabelle tabla tabela tabella tabel таблицу таблица"),
    ("database", "datenbank"),
    ("in", "dans nel nella"),
    ("remote", "remota remoto distante entfernten entfernte удалённую"),
    // Behind a verb it says no more than the verb.
    ("", "weg raus nen nem noch todavía ainda пока erstmal"),
    ("file", "datei fichier archivo arquivo файл"),
    ("folder", "ordner verzeichnis dossier carpeta pasta cartella папку"),
    ("comment", "kommentar commentaire comentario комментарий"),
    ("to", "auf nach sur vers naar para в на"),
    ("it", "es lo это его"),
    (
        "",
        "den die das der dem einen eine ein einem le la les un une los las el il uma um de het \
         een du des del o os meine meinen mon mes mi mis свой свои мой мои ça eso isso as minhas minha meu nossa nosso mie mia mio l'instant momento",
    ),
    ("on", "bei"),
    ("also", "anche também también aussi auch"),
    (
        NOT,
        "nicht nichts kein keine keinen nie niemals ohne rien nada nulla niets ничего ne pas jamais sans nunca sin não sem non \
         senza niet geen не без нельзя",
    ),
    (
        ASKING,
        "wie warum wieso weshalb wann comment pourquoi cómo como porqué perché hoe waarom как \
         почему зачем",
    ),
    (NOT_OR_IN, "no"),
    (
        EXPLAINING,
        "erkläre erklär explique expliquez explica explícame explicame spiega documente documenta dokumentiere объясни",
    ),
    (SOMEBODY, "ich je yo eu io я wir nous nosotros elle elles er sie он она"),
    (PURPOSE, "zu pour"),
    (BUT, "nur sondern aber seulement mais solo pero mas но"),
    (WAITING, "sobald quand cuando quando wanneer когда dès wenn"),
    (
        "can you",
        "kannst könntest peux pouvez pourrais pourriez peux-tu pouvez-vous pourrais-tu \
         pourriez-vous puedes podrías podés pode poderia puoi potresti можешь",
    ),
    ("", "tu vous usted você"),
];

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

/// Words by which somebody has to agree before something is done.
const APPROVING: &[&str] = &[
    "zustimmt",
    "zugestimmt",
    "freigibt",
    "freigegeben",
    "genehmigt",
    "ok",
    "approuvé",
    "validé",
    "valide",
    "aura",
    "apruebe",
    "aprueba",
    "aprobado",
    "aprobó",
    "aprovar",
    "aprovou",
    "aprove",
    "approva",
    "approvato",
    "одобрит",
    "одобрила",
    "согласится",
    "goedkeurt",
];

/// What says that it is not to be done yet.
const HOLDING: &[&str] = &[
    "noch warten",
    "warte mit",
    "wartet mit",
    "attends avant",
    "attendez avant",
    "espera antes",
    "aspetta prima",
    "espera para",
    "wacht met",
];

/// Whether a word of a sentence is one of some.
fn says_one_of(sentence: &str, words: &[&str]) -> bool {
    let lower = sentence.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
}

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

const NOT: &str = "!";
const ASKING: &str = "?";
/// A no in Spanish and Italian, and "in the" in Portuguese.
const NOT_OR_IN: &str = "~";
/// What asks for words about something, and for nothing of it.
const EXPLAINING: &str = "%";
const SOMEBODY: &str = "@";
const PURPOSE: &str = ">";
const WAITING: &str = "&";
const BUT: &str = "|";

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// Who asks for what is to be done.
    User,
    /// Who offers to do it.
    Agent,
}

/// A word of a sentence, as far as it says something of what is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word<'t> {
    /// A verb that begins what is asked for.
    Imperative(&'static str),
    /// A verb that may stand anywhere.
    Infinitive(&'static str),
    /// A verb of who says it: it begins what an agent offers.
    Offered(&'static str),
    /// What stands around it, in English, or one of the marks.
    Around(&'static str),
    /// Any other.
    Other(&'t str),
}

static WORDS: LazyLock<HashMap<&'static str, Word<'static>>> = LazyLock::new(|| {
    let of = |table: &'static [(&str, &'static str)], word: fn(&'static str) -> Word<'static>| {
        table.iter().flat_map(move |(english, forms)| {
            forms.split_whitespace().map(move |form| (form, word(english)))
        })
    };
    of(AROUND, Word::Around)
        .chain(of(INFINITIVES, Word::Infinitive))
        .chain(of(OFFERED, Word::Offered))
        .chain(of(IMPERATIVES, Word::Imperative))
        .collect()
});

/// A line in which what is asked for stands in English; the line itself, where nothing is asked for in another language.
pub(crate) fn in_english(line: &str, speaker: Speaker) -> Cow<'_, str> {
    let mut spaced = spaced(line);
    let mut has_changed = false;
    if let Some(english) = not_needed(&spaced) {
        spaced = Cow::Owned(english);
        has_changed = true;
    }
    for (own, english) in PASSIVE.iter().filter(|(own, _)| line.contains(own)) {
        spaced = Cow::Owned(spaced.replace(own, english));
        has_changed = true;
    }
    let mut out = String::new();
    for (sentence, end) in sentences(&spaced) {
        match requested(sentence, speaker) {
            Some(english) => {
                has_changed = true;
                out.push_str(&english);
            }
            None => out.push_str(sentence),
        }
        out.extend([end, ' ']);
    }
    if has_changed { Cow::Owned(out) } else { Cow::Borrowed(line) }
}

/// A line in which it says in English that something is not needed any more: "wir brauchen x nicht mehr".
fn not_needed(line: &str) -> Option<String> {
    const NEEDING: [(&str, &str); 4] = [
        ("wir brauchen ", " nicht mehr"),
        ("ich brauche ", " nicht mehr"),
        ("on n'a plus besoin de ", ""),
        ("ya no necesitamos ", ""),
    ];
    let lower = line.to_lowercase();
    NEEDING.iter().find_map(|(begin, end)| {
        let start = lower.find(begin)? + begin.len();
        let rest = line.get(start..)?;
        let (name, behind) = match end.is_empty() {
            true => rest.split_at(rest.find([',', '.', ';']).unwrap_or(rest.len())),
            false => rest.split_once(end)?,
        };
        let before = line.get(..start - begin.len())?;
        let behind = behind.replacen(',', ".", 1);
        // A verb alone is about that.
        let it = if behind.split_whitespace().count() == 3 { " es" } else { "" };
        Some(format!("{before}we don't need {name} anymore{behind}{it}"))
    })
}

/// A line with blanks around the words of languages that are written without, and the signs of sentences in them.
fn spaced(line: &str) -> Cow<'_, str> {
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

fn is_unspaced(sign: char) -> bool {
    matches!(sign, '\u{3001}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// What a sentence asks for in another language; `None` where it asks for nothing in one.
fn requested(sentence: &str, speaker: Speaker) -> Option<String> {
    if sentence.contains(is_unspaced) {
        return unspaced(sentence);
    }
    let first = sentence.split_whitespace().next().map(word)?;
    if matches!(first, Word::Around(ASKING | EXPLAINING)) {
        return None;
    }
    let is_needed = |part: &&str| !UNNEEDED.iter().any(|phrase| part.contains(phrase));
    let parts: Vec<_> = sentence.split(',').filter(is_needed).flat_map(parts).collect();
    let has =
        |wanted: &'static str| parts.iter().flatten().any(|word| *word == Word::Around(wanted));
    // What waits for what the user, or somebody else, does is not asked for now.
    if speaker == Speaker::User
        && has(WAITING)
        && (has(SOMEBODY) || says_one_of(sentence, APPROVING))
    {
        return Some(String::new());
    }
    if speaker == Speaker::User
        && HOLDING.iter().any(|phrase| sentence.to_lowercase().contains(phrase))
    {
        return Some(String::new());
    }
    // What stands around it says that English verbs are borrowed: "commit et push sur main".
    let says_not = ["nicht", "niet", "nunca", "não", "pas", "non"];
    let is_refused = || sentence.split_whitespace().any(|word| says_not.contains(&word));
    let is_made =
        has("make") || has("please") || has("can you") || has("and") || has("to") || is_refused();
    let listener = Listener { speaker, is_made };
    // What follows a no is meant, too.
    let no = parts.iter().position(|part| part.contains(&Word::Around(NOT)));
    let turns = |part: &Vec<Word<'_>>| {
        part.contains(&Word::Around(BUT)) && !part.contains(&Word::Around(NOT))
    };
    let says_no = |at: usize| {
        no.is_some_and(|no| at >= no && !parts.iter().take(at + 1).skip(no + 1).any(turns))
    };
    parts.iter().any(|part| listener.verb(part).is_some()).then(|| {
        let parts = parts.iter().enumerate().map(|(at, part)| listener.put(part, says_no(at)));
        parts.collect::<Vec<_>>().join(" and ")
    })
}

fn word(text: &str) -> Word<'_> {
    let plain = text.trim_matches(|c: char| matches!(c, ',' | ':' | '!' | '¡' | '¿' | '?' | '.'));
    match WORDS.get(plain.to_lowercase().as_str()) {
        Some(known) => *known,
        None => Word::Other(text),
    }
}

/// A clause cut where "and" or "then" stands.
fn parts(clause: &str) -> Vec<Vec<Word<'_>>> {
    let mut words: Vec<Word<'_>> = clause.split_whitespace().map(word).collect();
    let mut has_verb = false;
    for word in &mut words {
        has_verb |= matches!(word, Word::Imperative(_) | Word::Infinitive(_));
        if *word == Word::Around(NOT_OR_IN) {
            *word = Word::Around(if has_verb { "to" } else { NOT });
        }
    }
    let joins = |word: &Word<'_>| matches!(word, Word::Around("and" | "then"));
    words.split(joins).filter(|part| !part.is_empty()).map(<[_]>::to_vec).collect()
}

/// What says no more than that nobody needs something.
const UNNEEDED: &[&str] = &[
    "ne sert plus",
    "ne sert à rien",
    "n'est plus utile",
    "n’est plus utile",
    "ya no se usa",
    "ya no sirve",
    "ya no hace falta",
    "nicht mehr gebraucht",
    "nicht mehr benötigt",
    "brauchen wir nicht",
    "brauche ich nicht",
    "não é mais usada",
    "não serve mais",
    "non serve più",
];

/// What is lifted with a word that may mean to push.
const VERSIONS: &[&str] = &["versión", "version", "versão"];

/// What is known of a sentence when its parts are read.
#[derive(Clone, Copy)]
struct Listener {
    speaker: Speaker,
    /// Whether a word stands in it behind which a borrowed verb is one.
    is_made: bool,
}

impl Listener {
    /// A part in English: what leads to the verb, the verb, and the rest.
    fn put(self, words: &[Word<'_>], says_no: bool) -> String {
        let Some((at, verb)) = self.verb(words) else {
            // What the user does stays what the user does.
            let is_own = self.speaker == Speaker::User && words.contains(&Word::Around(SOMEBODY));
            if is_own {
                return "I will do it".to_owned();
            }
            // How something is done is no wish for it.
            if words.iter().any(|word| matches!(word, Word::Around(ASKING | EXPLAINING))) {
                return String::new();
            }
            return words.iter().filter_map(|word| word.in_english()).collect::<Vec<_>>().join(" ");
        };
        let is_version = |word: &Word<'_>| matches!(word, Word::Other(text) if VERSIONS.contains(&text.to_lowercase().as_str()));
        // Spanish has one word for lifting a version and for pushing.
        let verb = if verb == "push" && words.iter().any(is_version) { "bump" } else { verb };
        let leads = |word: &&str| matches!(*word, "please" | "can you");
        let others = words.iter().enumerate().filter(|(other, _)| *other != at);
        let (leading, rest): (Vec<&str>, Vec<&str>) =
            others.filter_map(|(_, word)| word.in_english()).partition(leads);
        let not = says_no.then_some("do not");
        let words = leading.into_iter().chain(not).chain([verb]).chain(rest);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The verb of what a part asks for, and where it stands.
    fn verb(self, all: &[Word<'_>]) -> Option<(usize, &'static str)> {
        // What a user does is not asked for; what an agent does is offered.
        let from = match all.iter().position(|word| *word == Word::Around(SOMEBODY)) {
            Some(_) if self.speaker == Speaker::User => return None,
            Some(at) => at + 1,
            None => 0,
        };
        // Who wants to know how it is done does not want it done.
        let is_asked =
            all.iter().position(|word| matches!(word, Word::Around(ASKING | EXPLAINING)));
        let is_verb = |word: &Word<'_>| matches!(word, Word::Imperative(_) | Word::Infinitive(_));
        if is_asked.is_some_and(|at| all.iter().position(is_verb).is_none_or(|verb| at < verb)) {
            return None;
        }
        let mut words = all.iter().enumerate().skip(from);
        let borrowed = |text: &str| BORROWED.iter().find(|verb| text.eq_ignore_ascii_case(verb));
        let first = words.clone().find(|(_, word)| !word.is_leading());
        match first? {
            (at, Word::Imperative(verb)) => return Some((at, verb)),
            (at, Word::Offered(verb)) if self.speaker == Speaker::Agent => return Some((at, verb)),
            (at, Word::Other(text)) if self.is_made => {
                if let Some(verb) = borrowed(text) {
                    return Some((at, verb));
                }
                let made = all.iter().position(|word| *word == Word::Around("make"));
                if let Some(made) = made.filter(|_| is_request(text)) {
                    return Some((made, "create"));
                }
            }
            _ => {}
        }
        let mut before = None;
        words.find_map(|(at, word)| {
            match (word, if *word == Word::Around("") { before } else { before.replace(*word) }) {
                (Word::Infinitive(verb), before) if before != Some(Word::Around(PURPOSE)) => {
                    Some((at, *verb))
                }
                (Word::Other(text), Some(Word::Around("make"))) => {
                    borrowed(text).map(|verb| (at, *verb))
                }
                _ => None,
            }
        })
    }
}

/// Whether something is made that others are asked with.
fn is_request(noun: &str) -> bool {
    ["pr", "mr", "pull", "issue"].iter().any(|known| noun.eq_ignore_ascii_case(known))
}

impl<'t> Word<'t> {
    fn in_english(&self) -> Option<&'t str> {
        match self {
            Self::Around(
                "" | "make" | NOT | NOT_OR_IN | ASKING | EXPLAINING | SOMEBODY | PURPOSE | WAITING
                | BUT,
            ) => None,
            Self::Around(english)
            | Self::Imperative(english)
            | Self::Infinitive(english)
            | Self::Offered(english) => Some(english),
            Self::Other(text) => Some(text),
        }
    }

    /// Whether it may stand before an imperative.
    fn is_leading(&self) -> bool {
        match self {
            Self::Around(around) => {
                matches!(*around, "please" | "make" | "can you" | "" | "all" | "it" | NOT | BUT)
            }
            Self::Other(text) => LEADING.contains(&text.to_lowercase().as_str()),
            Self::Imperative(_) | Self::Infinitive(_) | Self::Offered(_) => false,
        }
    }
}

/// Words that may stand before a verb and say nothing of it.
const LEADING: &[&str] = &[
    "ok", "okay", "ja", "oui", "sí", "si", "sì", "sim", "да", "super", "perfecto", "parfait",
    "por", "favor", "per", "favore",
];

/// What a sentence without blanks asks for.
fn unspaced(sentence: &str) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::{AROUND, IMPERATIVES, INFINITIVES, Speaker, in_english};

    fn is(line: &str, english: &str) {
        let got = in_english(line, Speaker::User);
        let got = got.trim_end().trim_end_matches(['.', '?', '!']);
        assert_eq!(got, english, "{line}");
    }

    #[test]
    fn each_form_has_one_meaning() {
        for table in [IMPERATIVES, INFINITIVES, AROUND] {
            let mut forms: Vec<&str> =
                table.iter().flat_map(|(_, forms)| forms.split_whitespace()).collect();
            forms.sort_unstable();
            let twice: Vec<&[&str]> = forms.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twice.is_empty(), "{twice:?}");
        }
    }

    #[test]
    fn requests_are_put_into_english() {
        is("bitte auf main pushen", "please push to main");
        is("Bitte committen und auf main pushen.", "please commit and push to main");
        is("committe alles, pushe und mach einen PR", "commit all and push and create PR");
        is("faz o commit e o push", "commit and push");
        is("lösche den Branch alt-1", "delete Branch alt-1");
        is("ok, jetzt pushe es", "ok and push it");
        is("mach einen Push auf main", "push to main");
        is("pousse sur main", "push to main");
        is("tu peux fusionner la branche fix/x ?", "can you merge branch fix/x");
        is("haz push de los cambios a main", "push changes a main");
        is("por favor sube los cambios y crea un PR", "push por favor changes and create PR");
        is("запушь в main", "push to main");
        is("закоммить и запушь", "commit and push");
        is("把改动推送到main分支", "push changes to main branch");
        is("提交并推送", "commit and push");
        is("请提交代码，然后推送到 origin", "commit please changes, push to origin");
        is("コミットしてプッシュしてください", "commit and push");
        is("커밋하고 푸시해줘", "commit and push");
        is("変更をpushして", "push changes");
        is("Commit et push sur main", "commit and push to main");
        is("peux-tu pousser ça sur main", "can you push to main");
        is("强推一下", "force-push");
        is("verwirf alle lokalen Änderungen", "discard all local changes");
        is("annule toutes mes modifications locales", "undo all changes local");
        is("ローカルの変更をすべて破棄して", "discard local changes all");
        is("丢弃所有未提交的修改", "discard all uncommitted changes");
        is("publica a lib no crates.io", "publish a lib to crates.io");
        is("pusht das bitte auf main", "please push to main");
        is("プッシュは待って", "do not push");
        for line in [
            "写一个部署到生产的脚本",
            "添加一个发布按钮",
            "デプロイスクリプトを書いて",
            "푸시 알림을 구현해줘",
        ] {
            assert_eq!(in_english(line, Speaker::User), line);
        }
        is("mach meine Änderungen in a.ts rückgängig", "undo changes in a.ts");
        is("Tabelle tmp_import droppen bitte", "please drop table tmp_import");
        is("v2.0.1のタグを切ってpushして", "tag v2.0.1 and push");
    }

    #[test]
    fn what_may_go_is_told_beside_what_else_is_asked_for() {
        is("exp/a kann weg", "exp/a can go");
        is("exp/a kann weg. Bitte auf main pushen", "exp/a can go. please push to main");
        is("exp/a kann weg. Bitte nicht pushen", "exp/a can go. please do not push");
    }

    #[test]
    fn what_is_not_wanted_says_so() {
        is("noch nicht pushen", "do not push");
        is("ne pousse pas sur main", "do not push to main");
        is("no subas nada", "do not push");
        is("先不要推送", "do not push");
        is("没问题，推送吧", "没问题, push");
        is("プッシュしないでください", "do not push");
        is("nicht pushen, aber auch nicht committen", "do not push and do not commit also");
        is("PRはまだ作らないで", "do not create PR");
        is("Nichts pushen, nur committen", "do not push and commit");
        is("Committe das, pushen mache ich selbst", "commit and I will do it");
        is("haz el commit, el push lo hago yo", "commit and I will do it");
    }

    #[test]
    fn what_asks_for_nothing_stays() {
        for line in [
            "push it",
            "no problem, go on",
            "comment on the PR",
            "wie kann ich auf main pushen",
            "ich pushe selbst",
            "ich werde es nachher pushen",
            "die Tests laufen, um zu pushen",
            "le script pousse sur main",
            "je pousse moi-même",
            "I like the bitte",
            "die Änderungen sind gepusht",
            "推送失败了",
            "怎么推送",
            "the committer is me",
        ] {
            assert_eq!(in_english(line, Speaker::User), line);
        }
    }
}
