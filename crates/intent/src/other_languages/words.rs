//! Words by which people of other languages than English ask for something, as tables: verbs with what they become, and what
//! stands around them. Reads nothing.

/// English verbs, each with how people say it who want it done: German, French, Spanish, Portuguese, Italian, Dutch,
/// Russian. Such a word begins what is asked for. Forms of the past are left out, since they report.
pub(super) const IMPERATIVES: &[(&str, &str)] = &[
    (
        "push",
        "pushe pusht schieb schiebe schiebt pousse poussez pushez pushea pusheá pusha pushees sube suba subas empuje \
         empujes запушь запуши пуш пушь пуши",
    ),
    ("push it", "súbelo subilo pushéalo manda"),
    ("force-push", "force-pushe force-pushen"),
    (
        "commit",
        "commite commitea commiteá commitees comitees committa committe committet commitez закоммить коммить",
    ),
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
pub(super) const INFINITIVES: &[(&str, &str)] = &[
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
pub(super) const OFFERED: &[(&str, &str)] = &[
    ("push", "subo pusheo empujo"),
    ("commit", "commiteo"),
    ("merge", "fusiono mergeo"),
    ("delete", "borro elimino apago cancello"),
    ("publish", "publico pubblico"),
    ("deploy", "despliego"),
    ("close", "cierro fecho chiudo"),
];

/// Verbs that people of all languages take from English, behind a word such as "make".
pub(super) const BORROWED: &[&str] =
    &["push", "commit", "merge", "deploy", "release", "rebase", "reset"];

/// How people say of something that it shall go.
pub(super) const PASSIVE: &[(&str, &str)] = &[
    (" kann weg", " can go"),
    (" können weg", " can go"),
    (" kann gelöscht werden", " can be deleted"),
    (" können gelöscht werden", " can be deleted"),
    (" peut être supprimé", " can be deleted"),
    (" se puede borrar", " can be deleted"),
    (" pode ser apagado", " can be deleted"),
    (" nicht laufen lassen", " don't run it"),
    (" nicht ausführen", " don't run it"),
    ("kannst du sie laufen lassen", "you can run it now"),
    ("kannst sie laufen lassen", "you can run it now"),
    ("darfst du sie laufen lassen", "you can run it now"),
    ("kannst du sie ausführen", "you can run it now"),
    ("kannst sie ausführen", "you can run it now"),
    ("lass sie jetzt laufen", "run it now"),
    ("führ sie aus", "run it"),
    ("tu peux la lancer", "you can run it now"),
    ("tu peux les lancer", "you can run them now"),
    ("puedes ejecutarla", "you can run it now"),
    ("puedes ejecutarlas", "you can run them now"),
    ("puedes ejecutarlos", "you can run them now"),
    ("ne la lance pas", "don't run it"),
    ("ne les lance pas", "don't run them"),
    ("no la ejecutes", "don't run it"),
    ("no las ejecutes", "don't run them"),
    ("no los ejecutes", "don't run them"),
];

/// The same of what somebody runs himself.
pub(super) const OWN_RUNS: &[(&str, &str)] = &[
    ("lass ich", "laufen"),
    ("lasse ich", "laufen"),
    ("führ ich", "aus"),
    ("führe ich", "aus"),
    ("je lance", "moi-même"),
    ("je lancerai", "moi"),
    ("los corro yo", ""),
    ("las corro yo", ""),
    ("los ejecuto yo", ""),
    ("las ejecuto yo", ""),
];

/// What says that the user does himself what the same clause names.
pub(super) const OWN: &[&str] = &[
    "überlass",
    "überlasse",
    "tu ich",
    "erledige ich",
    "erledig ich",
    "mach ich selbst",
    "mach ich selber",
    "mache ich selbst",
    "mache ich selber",
    "mach ich dann",
    "mach ich später",
    "übernehm ich",
    "übernehme ich",
    "lass mich",
    "laisse-moi",
    "laisse moi",
    "je m'occupe",
    "je m’occupe",
    "je m'en occupe",
    "moi-même",
    "me encargo yo",
    "yo me encargo",
    "lo hago yo",
    "los hago yo",
    "déjame a mí",
    "déjamelo",
];

/// What stands around the verbs. The first word is what it becomes; what becomes nothing is left out.
pub(super) const AROUND: &[(&str, &str)] = &[
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
    ("", "contre par allerdings übrigens sinon"),
    (
        "",
        "den die das der dem einen eine ein einem le la les un une los las el il uma um de het \
         een du des del o os meine meinen mon mes mi mis свой свои мой мои ça eso isso as minhas minha meu nossa nosso mie mia mio l'instant momento",
    ),
    ("on", "bei"),
    ("also", "anche também también aussi auch"),
    (
        NOT,
        "ningún ninguna ningun aucun aucune nessun nenhum nenhuma nicht nichts nix kein keine keinen nie niemals ohne rien nada nulla niets ничего ne pas jamais sans nunca sin não sem non \
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

/// Words by which somebody has to agree before something is done.
pub(super) const APPROVING: &[&str] = &[
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
pub(super) const HOLDING: &[&str] = &[
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

pub(super) const NOT: &str = "!";
pub(super) const ASKING: &str = "?";
/// A no in Spanish and Italian, and "in the" in Portuguese.
pub(super) const NOT_OR_IN: &str = "~";
/// What asks for words about something, and for nothing of it.
pub(super) const EXPLAINING: &str = "%";
pub(super) const SOMEBODY: &str = "@";
pub(super) const PURPOSE: &str = ">";
pub(super) const WAITING: &str = "&";
pub(super) const BUT: &str = "|";

/// What says no more than that nobody needs something.
pub(super) const UNNEEDED: &[&str] = &[
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
pub(super) const VERSIONS: &[&str] = &["versión", "version", "versão"];

/// Words that may stand before a verb and say nothing of it.
pub(super) const LEADING: &[&str] = &[
    "ok", "okay", "ja", "oui", "sí", "si", "sì", "sim", "да", "super", "perfecto", "parfait",
    "por", "favor", "per", "favore",
];
