//! What people say of files that are to be left, kept, or changed alone: the forms of such sentences, each with an example. How
//! a form is written stands in [`super::grammar`]. A form for one more wording is one more line here.

/// What is said of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stance {
    /// They stay as they are.
    Left,
    /// They are neither deleted, nor moved or renamed.
    Kept,
    /// They stay as they are where the words before want something changed, and are kept where those want something away.
    Spared,
    /// No others are changed.
    Only,
    /// No others are changed than those that the message names elsewhere.
    OnlyNamed,
    /// They may be changed, whatever was said before.
    Lifted,
}

/// How a form stands among the words around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It begins with a no, which may be somebody else's: "the CI does not touch x".
    No,
    /// It stands behind another no in the same sentence.
    SecondNo,
    /// It wants something: what was said before may take that back, as in "you can leave x alone".
    Wish,
    /// It says how something is or shall be.
    Fact,
    /// It stands behind what is asked for in the same sentence.
    BehindWork,
    /// It begins a clause.
    Clause,
}

/// A form of sentences about files.
pub(super) struct Form {
    pub words: &'static str,
    pub stance: Stance,
    pub place: Place,
    /// A sentence that it is met in, and the file `a.py` left, kept or alone to be changed by it.
    #[cfg_attr(not(test), allow(dead_code))]
    pub example: &'static str,
}

const fn form(stance: Stance, place: Place, words: &'static str, example: &'static str) -> Form {
    Form { words, stance, place, example }
}

use Place::{BehindWork, Clause, Fact, No, SecondNo, Wish};
use Stance::{Kept, Left, Lifted, Only, OnlyNamed, Spared};

/// All of them.
pub(super) const FORMS: &[Form] = &[
    // A no to a verb that changes.
    form(Left, No, "DONT|NO LEAD* CHANGE JOINED FILES", "don't ever touch a.py"),
    form(Left, No, "DONT|NO LEAD* WORK JOINED FILES", "do not refactor or format a.py"),
    form(Left, SecondNo, "OR CHANGE JOINED FILES", "don't delete or edit a.py"),
    form(Left, No, "DONT|NO LEAD* MAKE ANY? CHANGES INTO FILES", "don't make any changes in a.py"),
    form(Left, No, "DONT|NO ANY? CHANGES INTO FILES", "no changes to a.py"),
    form(Left, No, "DONT|NO want ANY? CHANGES INTO FILES", "I don't want any changes in a.py"),
    form(Left, No, "DONT|NO want|like|need FILES to? BE* DONE", "I don't want a.py touched"),
    form(Left, No, "no FILES CHANGES !to", "no a.py changes please"),
    form(Left, No, "DONT|NO LEAD* MESS around? with|in|up FILES", "don't mess with a.py"),
    form(
        Left,
        No,
        "DONT|NO LEAD* PUT anything|stuff|code? INTO FILES",
        "don't add anything to a.py",
    ),
    form(Left, No, "DONT|NO LEAD* go|come|get? anywhere? near|into FILES", "don't go near a.py"),
    form(
        Left,
        No,
        "DONT LEAD* lay a|your hand|hands|finger on FILES",
        "don't lay a finger on a.py",
    ),
    form(
        Left,
        No,
        "refrain|refraining from CHANGE|WORK JOINED FILES",
        "please refrain from editing a.py",
    ),
    form(
        Left,
        No,
        "resist the urge|temptation to CHANGE|WORK JOINED FILES",
        "resist the urge to rewrite a.py",
    ),
    form(
        Left,
        No,
        "DONT|NO LEAD* see a|any|the? diff|CHANGES|diffs INTO FILES",
        "I don't want to see a diff in a.py",
    ),
    form(
        Left,
        Wish,
        "ask|check|confirm|talk|tell|warn with|to? me|us|first? before you? CHANGE|WORK JOINED anything? FILES",
        "check with me before you change a.py",
    ),
    form(Left, No, "didn't|didn’t CHANGE FILES", "I'd rather you didn't touch a.py"),
    form(Spared, BehindWork, "not the|in|for|under? FILES", "fix the code, not the a.py"),
    form(Left, Clause, "not in|under|inside FILES", "not in a.py, that stays as is"),
    form(
        Left,
        No,
        "DONT|NO LEAD* write|create|start|do|generate|draft FILES",
        "don't write a.py, I'll do that",
    ),
    // A no to a verb that takes away.
    form(Kept, No, "DONT|NO LEAD* TAKE JOINED FILES", "don't delete or rename a.py"),
    form(Kept, SecondNo, "OR TAKE JOINED FILES", "don't commit or delete a.py"),
    form(Kept, No, "DONT|NO LEAD* get rid of FILES", "don't get rid of a.py"),
    // What is to be left, or kept as it is.
    form(Left, Wish, "LEAVE !in|a|an|some FILES EXACTLY? UNTOUCHED !BEYOND", "leave a.py alone"),
    form(
        Left,
        Wish,
        "LEAVE !in|a|an|some FILES EXACTLY? as|how|like is|it|they|he|that|are !BEYOND",
        "leave a.py as it is",
    ),
    form(
        Left,
        Wish,
        "LEAVE !in|a|an|some FILES EXACTLY? the way it|they|he is|are !BEYOND",
        "keep a.py the way it is",
    ),
    form(
        Left,
        Wish,
        "LEAVE !in|a|an|some FILES out of it|this|that|your|the",
        "leave a.py out of this",
    ),
    form(Left, Wish, "leave|leaving !in|a|an|some FILES in peace", "leave a.py in peace"),
    form(
        Left,
        Wish,
        "leave|leaving !in|a|an|some FILES to|for me|us|him|her|them|later|now|another|tomorrow",
        "leave a.py to me",
    ),
    form(Left, Wish, "leave|leaving !in|a|an|some FILES $", "rename it, but leave a.py"),
    form(Left, Wish, "keep|keeping FILES read-only|frozen|locked|stable", "keep a.py read-only"),
    form(Kept, Wish, "keep|keeping|preserve FILES around|there|here|where $", "keep a.py around"),
    form(Left, Wish, "let FILES be $", "let a.py be"),
    form(Kept, Wish, "keep|keeping|preserve FILES $", "keep a.py"),
    form(Kept, Wish, "leave|keep FILES in place", "leave a.py in place"),
    form(Left, Wish, "preserve|respect FILES as|exactly|intact", "preserve a.py as is"),
    form(Left, Wish, "LIVING out|AWAY of|from FILES", "stay out of a.py"),
    form(Left, Wish, "stay|keep off of? FILES", "stay off a.py"),
    form(Left, Wish, "hands|hand off of|from? FILES", "hands off a.py"),
    form(
        Left,
        Wish,
        "keep|get YOUR* PARTS off|out|away of|from? FILES",
        "keep your hands off a.py",
    ),
    form(
        Left,
        Wish,
        "treat|consider|regard|mark FILES as? read-only|readonly|frozen|locked|off-limits|immutable|untouchable|sacred|final|done|finished|closed",
        "treat a.py as read-only",
    ),
    form(
        Left,
        BehindWork,
        "skip|ignore|skipping|ignoring|spare FILES $",
        "rename it everywhere, skip a.py",
    ),
    form(Left, Wish, "skip|ignore FILES entirely|completely", "ignore a.py completely"),
    // What is left out of what is asked for.
    form(
        Spared,
        BehindWork,
        "except|excluding|excl|besides|minus|save for? in|the? FILES",
        "rename it everywhere except a.py",
    ),
    form(Spared, BehindWork, "apart|aside from FILES", "rename it everywhere apart from a.py"),
    form(Spared, BehindWork, "other than FILES", "rename it in all files other than a.py"),
    form(
        Spared,
        BehindWork,
        "everything|everywhere|all|anything but FILES",
        "refactor everything but a.py",
    ),
    form(Spared, BehindWork, "but FILES $", "fix it in all files but a.py"),
    form(
        Left,
        Wish,
        "one|only|single exception|exceptions is|are? FILES",
        "change what you like, with one exception: a.py",
    ),
    form(
        Left,
        Clause,
        "except|besides for? FILES you|everything|anything|all|feel",
        "except for a.py you may change everything",
    ),
    form(Left, Wish, "freeze for|on|of FILES", "we have a code freeze on a.py"),
    // What is said of files that stand first.
    form(Left, Fact, "FILES IS VERY* BARRED !OTHERS", "a.py is frozen"),
    form(Left, Fact, "FILES IS VERY* off limits", "a.py is off limits"),
    form(Left, Fact, "FILES IS VERY* off the table", "a.py is off the table"),
    form(
        Left,
        Fact,
        "FILES IS VERY* there? for reading|reference only|alone",
        "a.py is for reading only",
    ),
    form(
        Left,
        Fact,
        "FILES IS VERY* read-only|readonly for|to|now|please|here|today",
        "a.py is read-only for you",
    ),
    form(Left, Fact, "FILES IS VERY* out of bounds|scope", "a.py is out of scope"),
    form(Left, Fact, "FILES IS not in scope", "a.py is not in scope"),
    form(Left, Fact, "FILES IS none of your business", "a.py is none of your business"),
    form(Left, Fact, "FILES IS not yours", "a.py is not yours to change"),
    form(Left, Fact, "FILES IS a no go|touch", "a.py is a no go"),
    form(Left, Fact, "FILES IS set in stone", "a.py is set in stone"),
    form(
        Left,
        Fact,
        "FILES IS|isn't|isn’t|aren't|aren’t not? part of this|the|your|it",
        "a.py isn't part of this",
    ),
    form(Left, Fact, "FILES hands off", "a.py: hands off"),
    form(Left, Fact, "FILES DUTY? NO_BE BE* DONE !OTHERS", "a.py must not be changed"),
    form(
        Left,
        Fact,
        "FILES DUTY? NO_BE BE* DONE by hand|you|anyone|anybody|us",
        "a.py must not be edited by hand",
    ),
    form(
        Left,
        Fact,
        "FILES doesn't|doesn’t|don't|don’t|won't|won’t get|be DONE !OTHERS",
        "a.py doesn't get changed",
    ),
    form(
        Left,
        Fact,
        "FILES doesn't|doesn’t|don't|don’t|won't|won’t change $",
        "a.py doesn't change",
    ),
    form(
        Kept,
        Fact,
        "FILES doesn't|doesn’t|don't|don’t|won't|won’t move|go $",
        "a.py doesn't move",
    ),
    form(Kept, Fact, "FILES STAY_DUTY survive", "a.py must survive"),
    form(Kept, Fact, "FILES DUTY? NO_BE BE* TAKEN !OTHERS", "a.py must not be deleted"),
    form(Left, Fact, "FILES DUTY? NO_BE change $", "a.py should not change"),
    form(Left, Fact, "FILES STAY_DUTY* STAY EXACTLY? STAY_HOW !of", "a.py stays as it is"),
    form(Spared, Fact, "FILES STAY_DUTY* stay|stays $", "rename it everywhere, a.py stays"),
    form(
        Left,
        Fact,
        "FILES STAY_DUTY STAY_DUTY* be left|kept EXACTLY? UNTOUCHED|as|out|the",
        "a.py should be left alone",
    ),
    form(Left, Fact, "FILES STAY_DUTY STAY_DUTY* be left in peace", "a.py has to be left in peace"),
    form(
        Left,
        Fact,
        "FILES untouched|unchanged|unmodified|unedited|intact $",
        "fix it with a.py untouched",
    ),
    form(Left, Wish, "neither FILES DUTY BE* CHANGED", "neither a.py nor b.py should be altered"),
    form(
        Left,
        Wish,
        "nothing|none WITHIN FILES DUTY? be? CHANGED !by",
        "nothing in a.py should change",
    ),
    form(Left, Wish, "off-limits FILES", "off-limits: a.py"),
    form(Left, Wish, "off limits FILES", "off limits: a.py"),
    // The only files that may be changed.
    form(Only, Clause, "only CHANGE|WORK JOINED INTO? FILES", "only touch a.py"),
    form(Only, Wish, "just touch|change|edit|modify FILES", "just touch a.py"),
    form(
        Only,
        Wish,
        "CHANGE|WORK JOINED only|solely INTO? FILES",
        "please edit only files in a.py",
    ),
    form(Only, Wish, "only MAKE ANY? CHANGES INTO FILES", "only make changes to a.py"),
    form(Only, Wish, "CHANGES only INTO? FILES", "changes only in a.py, please"),
    form(Only, Wish, "LIMIT YOUR* SELF|CHANGES to FILES", "limit your changes to a.py"),
    form(
        Only,
        Clause,
        "keep YOUR* SELF|CHANGES to|in|inside|within FILES",
        "keep your changes inside a.py",
    ),
    form(Only, Clause, "stick to FILES", "stick to a.py"),
    form(Only, Clause, "stay in|inside|within FILES", "stay within a.py"),
    form(Only, Clause, "work only in|on|inside|within FILES", "work only in a.py"),
    form(Only, Clause, "only work in|on|inside|within FILES", "only work on a.py"),
    form(
        Only,
        No,
        "DONT|NO LEAD* CHANGE|WORK|MAKE JOINED ANYTHING* BEYOND BEHIND_BEYOND? FILES",
        "don't touch anything outside a.py",
    ),
    form(
        Only,
        No,
        "DONT|NO ANYTHING* CHANGES ANYTHING? BEYOND BEHIND_BEYOND? FILES",
        "no changes outside of a.py",
    ),
    form(
        Only,
        Wish,
        "CHANGE|WORK|MAKE nothing BEYOND BEHIND_BEYOND? FILES",
        "change nothing but a.py",
    ),
    form(Only, Wish, "only FILES MAY BE* DONE", "only a.py may be edited"),
    form(
        Only,
        Wish,
        "FILES IS the only|one file|thing|place|folder|one|directory|files SUBJECT* MAY* BE* CHANGE|CHANGED|WORK",
        "a.py is the only file you should change",
    ),
    form(
        Only,
        Wish,
        "the only file|thing|place|folder|one|directory|files SUBJECT* MAY* BE* CHANGE|CHANGED|WORK IS FILES",
        "the only file you should change is a.py",
    ),
    form(Only, BehindWork, "FILES and? nowhere|nothing else $", "fix it in a.py and nowhere else"),
    form(Only, BehindWork, "FILES only $", "fix it in a.py only"),
    form(Only, Clause, "ONLY INTO? FILES $", "rename it, just a.py pls"),
    form(
        OnlyNamed,
        No,
        "DONT|NO LEAD* CHANGE|WORK JOINED anything|any|files|code else",
        "fix a.py, don't touch anything else",
    ),
    form(
        OnlyNamed,
        No,
        "DONT|NO LEAD* CHANGE JOINED any|the|your? other files|file|things|code|folders|stuff|modules",
        "fix a.py, don't touch any other files",
    ),
    form(OnlyNamed, No, "no other CHANGES|files", "fix a.py, no other changes"),
    form(OnlyNamed, Wish, "nothing else DUTY? be? CHANGED", "fix a.py, nothing else should change"),
    form(OnlyNamed, Clause, "nothing else $", "fix a.py, nothing else"),
    form(
        OnlyNamed,
        Wish,
        "leave|leaving|keep|keeping everything|all else EXACTLY? UNTOUCHED|as|the",
        "fix a.py and leave everything else alone",
    ),
    form(
        OnlyNamed,
        Wish,
        "leave|leaving|keep|keeping the rest|others EXACTLY? UNTOUCHED|as|the",
        "fix a.py and leave the rest alone",
    ),
    form(
        OnlyNamed,
        Wish,
        "everything else IS VERY* off|BARRED",
        "fix a.py, everything else is off limits",
    ),
    form(
        OnlyNamed,
        Wish,
        "everything else STAY_DUTY* STAY EXACTLY? STAY_HOW",
        "fix a.py, everything else stays as it is",
    ),
    form(
        OnlyNamed,
        Wish,
        "the rest STAY_DUTY* STAY EXACTLY? STAY_HOW",
        "fix a.py, the rest stays as it is",
    ),
    // More of them.
    form(Left, No, "DONT|NO ~ CHANGE|WORK JOINED FILES", "don't even think about changing a.py"),
    form(
        Left,
        Wish,
        "instead of CHANGE|WORK JOINED FILES",
        "write another instead of changing a.py",
    ),
    form(
        Left,
        Wish,
        "rather than CHANGE|WORK JOINED FILES",
        "write another rather than editing a.py",
    ),
    form(
        Left,
        Fact,
        "FILES leave|keep it|them? as|alone|untouched|be|unchanged",
        "a.py: leave as is",
    ),
    form(
        Left,
        Wish,
        "LEAVE !in|a|an|some FILES around|there EXACTLY? UNTOUCHED|as",
        "keep a.py around untouched",
    ),
    form(Left, Wish, "preserve|keep|leave FILES verbatim", "preserve a.py verbatim"),
    form(Left, Fact, "FILES IS ~ BARRED !OTHERS", "a.py is owned by others and thus locked for us"),
    form(Left, Fact, "FILES IS ~ carved|cast|written in stone|concrete", "a.py is carved in stone"),
    form(
        Left,
        Wish,
        "treat|consider|regard FILES as? carved|set|cast in stone|concrete",
        "consider a.py carved in stone",
    ),
    form(Only, Wish, "apart|aside from FILES nothing|no", "apart from a.py nothing gets modified"),
    form(
        Only,
        Wish,
        "except|besides|outside for|of? FILES nothing|no",
        "except for a.py nothing changes",
    ),
    form(
        Left,
        Wish,
        "not with|to FILES though|tho",
        "change what you like, but not with a.py though",
    ),
    form(
        Left,
        Fact,
        "FILES reste|restent intact|intacts|intacte|tel|tels|comme|inchangé",
        "a.py reste intact",
    ),
    form(
        Left,
        Wish,
        "sans FILES modifier|toucher|changer|éditer",
        "a.py doit passer, mais sans le modifier",
    ),
    form(
        Only,
        Wish,
        "cambiar|modificar|tocar|editar solo|sólo|solamente|únicamente FILES",
        "puedes cambiar solo a.py",
    ),
    form(
        Left,
        Wish,
        "treat|consider|regard|mark|keep|leave FILES as? read only",
        "treat a.py as read only",
    ),
    form(Left, Wish, "CHANGE|WORK nothing WITHIN FILES", "change nothing in a.py"),
    form(
        Left,
        Wish,
        "everything|all|everywhere except|but FILES may|can|should",
        "everything except a.py may be refactored",
    ),
    // What was said before holds no more.
    form(
        Lifted,
        Wish,
        "forget|ignore|disregard|scratch what|that|everything? i|we said|wrote|told you? about|on FILES",
        "forget what I said about a.py",
    ),
    form(
        Lifted,
        Fact,
        "FILES IS VERY* fine|ok|okay|free to? CHANGE|now|again",
        "a.py is fine to edit",
    ),
    form(Lifted, Fact, "FILES may|can|could|should|must be CHANGED|DONE", "a.py may be changed"),
    form(Lifted, Fact, "FILES need|needs to BE* CHANGED|DONE", "a.py needs to change"),
    form(
        Lifted,
        Fact,
        "FILES should|must|needs have|get|use|contain|say",
        "a.py should have the key",
    ),
    form(Lifted, Fact, "FILES IS no longer ~ BARRED", "a.py is no longer off-limits"),
    form(
        Lifted,
        Clause,
        "you may|can also|now? CHANGE|WORK JOINED FILES",
        "you can touch a.py now",
    ),
    form(Lifted, Clause, "CHANGE|WORK JOINED FILES too|now|again|also", "change a.py too"),
    form(Lifted, Clause, "now|next|then FILES $", "good. now a.py"),
    form(
        Lifted,
        Fact,
        "FILES sí los|las|lo|la? puedes|podés|puede cambiar|tocar|editar",
        "a.py sí lo puedes cambiar",
    ),
    form(
        Lifted,
        Clause,
        "ya? puedes|podés tocar|cambiar|editar|modificar FILES",
        "ya puedes tocar a.py",
    ),
    form(
        Lifted,
        Clause,
        "tu|vous peux|pouvez maintenant? modifier|changer|toucher FILES",
        "tu peux maintenant modifier a.py",
    ),
    form(
        Lifted,
        Wish,
        "darfst|kannst du? FILES ändern|anfassen|anpassen|bearbeiten",
        "jetzt darfst du a.py ändern",
    ),
    form(
        Lifted,
        Wish,
        "pass|passe jetzt|bitte* auch|noch? FILES an",
        "pass jetzt bitte auch a.py an",
    ),
    form(
        Lifted,
        Fact,
        "FILES darf|dürfen jetzt? geändert|angefasst|angepasst|bearbeitet",
        "a.py darf jetzt geändert werden",
    ),
    form(
        Lifted,
        Wish,
        "FILES anpassen|ändern|umstellen|aktualisieren|ergänzen",
        "bitte a.py anpassen",
    ),
    // German.
    form(
        Left,
        Wish,
        "fass|fasst|fasse|rühr|rühre|rührt FILES bitte? nicht|nie|niemals an",
        "bitte fass a.py nicht an",
    ),
    form(
        Left,
        Wish,
        "ändere|ändre|änder|ändert|bearbeite|verändere FILES bitte? nicht|nie|niemals",
        "ändere a.py nicht",
    ),
    form(Left, Wish, "ändere|ändre|änder|nichts an|in|unter FILES nichts", "ändere an a.py nichts"),
    form(Left, Wish, "nichts an|in|unter FILES ändern|verändern|anfassen", "nichts in a.py ändern"),
    form(
        Left,
        Wish,
        "an|am|in|im|unter FILES bitte? nichts ändern|verändern|anfassen|machen",
        "an a.py bitte nichts ändern",
    ),
    form(
        Left,
        Fact,
        "FILES bitte? nicht|nie|niemals mehr|weiter|noch? ändern|anfassen|verändern|bearbeiten",
        "a.py bitte nicht mehr anfassen",
    ),
    form(Left, Wish, "lass|lasst|lasse FILES bitte? in ruhe", "lass a.py in Ruhe"),
    form(
        Left,
        Wish,
        "lass|lasst|lasse FILES bitte? so|unverändert|unangetastet|wie|unberührt",
        "lass a.py so",
    ),
    form(Left, Fact, "FILES lässt|lasst du|ihr bitte? in ruhe", "a.py lässt du in Ruhe"),
    form(
        Left,
        Fact,
        "FILES lässt|lasst du|ihr bitte? so|unverändert|wie|unangetastet",
        "a.py lässt du so",
    ),
    form(Left, Wish, "finger|hände weg von|vom FILES", "Finger weg von a.py"),
    form(
        Left,
        Wish,
        "ohne FILES zu ändern|verändern|bearbeiten|modifizieren",
        "mach es, ohne a.py zu ändern",
    ),
    form(Left, Wish, "ohne FILES anzufassen|anzurühren", "mach es, ohne a.py anzufassen"),
    form(Left, Wish, "ohne änderungen an|in FILES", "ohne Änderungen an a.py"),
    form(Left, Wish, "keine änderungen an|in|unter FILES", "keine Änderungen an a.py"),
    form(
        Left,
        Fact,
        "FILES bitte? nicht|nie|niemals ändern|anfassen|verändern|bearbeiten|anrühren|überschreiben",
        "a.py nicht ändern",
    ),
    form(
        Left,
        Fact,
        "FILES soll|sollen|muss|müssen bitte? so|unverändert|unangetastet|unberührt bleiben",
        "a.py soll unverändert bleiben",
    ),
    form(
        Left,
        Fact,
        "FILES bleibt|bleiben bitte|aber? so|genau|wie|unverändert|unangetastet|unberührt",
        "a.py bleibt unverändert",
    ),
    form(Left, Fact, "FILES ist|sind tabu|gesperrt|eingefroren|heilig", "a.py ist tabu"),
    form(
        Left,
        Fact,
        "FILES darf|dürfen|soll|sollen|wird|werden nicht geändert|verändert|angefasst|bearbeitet|angerührt",
        "a.py darf nicht geändert werden",
    ),
    form(
        Kept,
        Fact,
        "FILES bitte? nicht löschen|entfernen|umbenennen|verschieben",
        "a.py nicht löschen",
    ),
    form(Kept, Wish, "lösch|lösche|entferne FILES bitte? nicht", "lösch a.py nicht"),
    form(Left, Wish, "außer|ausser in? FILES", "du darfst alles anfassen außer a.py"),
    form(
        Only,
        Wish,
        "ändere|ändre|änder|bearbeite|verändere bitte? nur|ausschließlich in|an? FILES",
        "ändere nur a.py",
    ),
    form(Only, Clause, "nur in|an? FILES ändern|anfassen|bearbeiten", "bitte nur a.py ändern"),
    // French.
    form(
        Left,
        Wish,
        "ne touche|touchez|modifie|modifiez|change|changez|édite|éditez|toucher|modifier pas|jamais|surtout pas? FILES",
        "ne touche pas à a.py",
    ),
    form(Left, Wish, "ne pas|jamais toucher|modifier|changer|éditer FILES", "ne pas modifier a.py"),
    form(Left, Wish, "sans modifier|toucher|changer|éditer FILES", "corrige-le sans modifier a.py"),
    form(Left, Wish, "pas touche FILES", "pas touche à a.py"),
    form(Left, Wish, "évite|évitez de toucher|modifier|changer FILES", "évite de modifier a.py"),
    form(
        Left,
        Wish,
        "laisse|laissez|laissant FILES tel|telle|tels|telles|tranquille|tranquilles|comme|intact|intacts|inchangé|inchangés",
        "laisse a.py tel quel",
    ),
    form(
        Left,
        Wish,
        "aucune|aucun modification|changement dans|à|de FILES",
        "aucune modification dans a.py",
    ),
    form(
        Left,
        Fact,
        "FILES ne doit|doivent pas être|changer|bouger|modifié",
        "a.py ne doit pas être modifié",
    ),
    form(Kept, Wish, "ne supprime|supprimez pas FILES", "ne supprime pas a.py"),
    form(Left, Wish, "sauf|hormis dans? FILES", "tu peux tout modifier sauf a.py"),
    form(
        Only,
        Wish,
        "ne modifie|modifiez|touche|touchez|change|changez que|qu'à|qu’à FILES",
        "ne modifie que a.py",
    ),
    form(
        Only,
        Wish,
        "modifie|modifiez|touche|change uniquement|seulement FILES",
        "modifie uniquement a.py",
    ),
    // Spanish.
    form(
        Left,
        Wish,
        "no toques|toquen|toqués|modifiques|modifiquen|cambies|cambien|edites|editen|tocar|modificar|cambiar|editar FILES",
        "no toques a.py",
    ),
    form(Left, Wish, "sin tocar|modificar|cambiar|editar FILES", "sin tocar a.py"),
    form(
        Left,
        Wish,
        "deja|dejá|deje|dejar|mantén|manten FILES como|en|tal|intacto|intacta|intactos|intactas|tranquilo|quieto|igual",
        "deja a.py como está",
    ),
    form(Left, Wish, "nada de tocar|cambios|modificar en? FILES", "nada de tocar a.py"),
    form(Left, Fact, "FILES no se toca|tocan|modifica|modifican|cambia|cambian", "a.py no se toca"),
    form(
        Left,
        Fact,
        "FILES debe|deben|tiene|tienen que? quedar|quedarse|permanecer tal|como|igual|intacto|intactos|así",
        "a.py debe quedar tal como está",
    ),
    form(
        Left,
        Fact,
        "FILES es|son|está|están intocable|intocables|prohibido|congelado|congelados",
        "a.py es intocable",
    ),
    form(
        Left,
        Fact,
        "FILES no debe|deben|debería cambiar|cambiarse|modificarse|tocarse",
        "a.py no debe modificarse",
    ),
    form(Kept, Wish, "no borres|elimines|muevas|renombres FILES", "no borres a.py"),
    form(Left, Wish, "excepto|menos|salvo en? FILES", "cambia todo excepto a.py"),
    form(
        Only,
        Wish,
        "modifica|cambia|toca|edita solo|sólo|solamente|únicamente en? FILES",
        "modifica solo a.py",
    ),
    form(Only, Wish, "solo|sólo modifica|cambia|toca|edita FILES", "solo modifica a.py"),
];
