//! What people say of acts that they forbid, or allow again, beside a plain no to a verb: the forms of such sentences, each with
//! an example. How a form is written stands in [`crate::said::grammar`]. A form for one more wording is one more line here.

use crate::said::act::Act;

/// What is said of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stance {
    /// It is not to be done.
    Denied,
    /// It may be done, whatever was said before.
    Lifted,
}

/// What the words of a form call the act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Called {
    /// By its verb, or by what is run with a verb before it: "running the tests".
    Done,
    /// By its name alone, too: "the tests".
    Named,
    /// The form itself says which it is.
    Said(Act),
}

/// A form of sentences about acts.
pub(super) struct Form {
    pub words: &'static str,
    pub stance: Stance,
    pub called: Called,
    /// A sentence that it is met in, and the act in it.
    #[cfg_attr(not(test), allow(dead_code))]
    pub example: (&'static str, Act),
}

const fn form(
    stance: Stance,
    called: Called,
    words: &'static str,
    example: &'static str,
    act: Act,
) -> Form {
    Form { words, stance, called, example: (example, act) }
}

use Act::{Change, Commit, Database, Depend, Migrate, Network, Push, Serve, Switch, Test};
use Called::{Done, Named, Said};
use Stance::{Denied, Lifted};

/// All of them.
pub(super) const FORMS: &[Form] = &[
    // It is put off, or left out.
    form(Denied, Done, "hold|holding off|back on|with? ACT", "hold off on migrating", Migrate),
    form(Denied, Done, "wait|waiting|hold with|on the? ACT", "wait with the push", Push),
    form(Denied, Done, "postpone|delay|defer the? ACT", "postpone the commit", Commit),
    form(Denied, Done, "put|leave|leaving off|out|aside ACT", "leave out the push", Push),
    form(Denied, Named, "skip|omit|skipping ACT", "skip the tests, they are slow", Test),
    form(
        Denied,
        Named,
        "stay|keep|steer|staying off|away|clear|out from|of? ACT",
        "please stay off the network",
        Network,
    ),
    form(Denied, Named, "hands off of|from? ACT", "hands off the database", Database),
    form(
        Denied,
        Done,
        "didn't|didn’t|never|nobody ask|asked|tell|told you to|for ACT",
        "nobody asked you to commit",
        Commit,
    ),
    form(
        Denied,
        Done,
        "rather|prefer if? you? didn't|didn’t|don't|don’t|not ACT",
        "I'd rather you didn't push",
        Push,
    ),
    form(
        Denied,
        Done,
        "don't|don’t|dont want|like you ACT",
        "I don't want you committing things",
        Commit,
    ),
    form(
        Denied,
        Done,
        "ask|check|confirm|talk|tell|ping|warn with|to? me|us|first? before you? ACT",
        "ask me before you push",
        Push,
    ),
    form(
        Denied,
        Done,
        "before you? ACT tell|show|ask|let|give|explain|walk|check|ping me|us|with",
        "before you commit show me the diff",
        Commit,
    ),
    form(
        Denied,
        Said(Change),
        "before you? CHANGE|write|touch ANY_OF* code|line|file|files|anything of? code? tell|show|ask|let|give|explain|walk|check|ping",
        "before you write a line of code tell me your plan",
        Change,
    ),
    form(
        Denied,
        Said(Change),
        "don't|don’t|dont want|need|like you CHANGE|fixing|writing anything|any|code|things|stuff|files",
        "I don't want you fixing anything",
        Change,
    ),
    // The user does it himself.
    form(Denied, Done, "I_WILL ALSO* HANDLE? the? ACT", "fix it, I'll push", Push),
    form(Denied, Done, "i|we will|do|handle|make|own ALSO* the? ACT", "I do the commits", Commit),
    form(Denied, Done, "i|we|me am|are|is ALSO* HANDLING the? ACT", "I am doing the push", Push),
    form(Denied, Done, "care of ACT myself|later", "I'll take care of the push myself", Push),
    form(Denied, Done, "let me HANDLE? the? ACT", "let me do the commit", Commit),
    form(
        Denied,
        Done,
        "i|we want|prefer|like|love|need to HANDLE? ACT myself|ourselves",
        "I want to commit myself",
        Commit,
    ),
    form(
        Denied,
        Done,
        "leave|leaving ACT to|for me|us|him|her|them|later",
        "leave the push to me",
        Push,
    ),
    form(Denied, Done, "ACT IS ALSO* mine|ours|me|us", "pushing is on me", Push),
    form(Denied, Done, "ACT IS ALSO* on|up|for to? me|us", "committing is up to me", Commit),
    form(
        Denied,
        Done,
        "ACT IS ALSO* my|our|not|none of? my|our|your? job|business|thing|call|part|turn",
        "pushing is my job",
        Push,
    ),
    form(Denied, Done, "ACT IS ALSO* off limits|the", "committing is off limits", Commit),
    form(Denied, Done, "ACT IS ALSO* BARRED_ACT", "pushing is forbidden", Push),
    form(
        Denied,
        Done,
        "ACT IS ALSO* not allowed|ok|okay|fine|permitted|wanted|welcome|yours",
        "committing is not allowed",
        Commit,
    ),
    form(
        Denied,
        Done,
        "ACT isn't|isn’t|aren't|aren’t ALSO* allowed|ok|okay|fine|permitted|wanted|welcome|yours",
        "commits aren't allowed",
        Commit,
    ),
    form(
        Denied,
        Named,
        "ACT can|will|must|should|may|has|have|needs to? wait",
        "the migration has to wait",
        Migrate,
    ),
    form(
        Denied,
        Done,
        "ACT comes|come|happens|happen later|after|afterwards|tomorrow|last",
        "commits come later",
        Commit,
    ),
    // It waits for the user.
    form(
        Denied,
        Done,
        "ACT only|just? once|after|when|if|with i|i've|i’ve|we|we've|my|me",
        "commit only once I have reviewed it",
        Commit,
    ),
    form(
        Denied,
        Done,
        "only ACT once|after|when|if|with i|i've|i’ve|we|we've|my|me",
        "only push when I say so",
        Push,
    ),
    form(
        Denied,
        Done,
        "wait|waiting for|until my|me|i|i've|we ~ before|to|with ACT",
        "wait for my go before pushing",
        Push,
    ),
    form(Denied, Done, "sans|sin|sem|ohne ACT", "fix it sans push", Push),
    form(Denied, Done, "ACT I_WILL ALSO* do|handle|take|make", "the pushing I'll do myself", Push),
    form(
        Denied,
        Done,
        "ACT i|we will|do|handle|take|make ALSO* myself|ourselves|care",
        "pushes I do myself",
        Push,
    ),
    form(Denied, Done, "I_WILL ALSO* take care of ACT", "I'll take care of git", Commit),
    form(Denied, Done, "i|we ACT you don't|don’t|dont|not", "I commit, you don't", Commit),
    form(
        Denied,
        Done,
        "see|read|review|check|approve|inspect|verify ~ before you ACT",
        "I want to read the SQL before you apply the migration",
        Migrate,
    ),
    // What says by itself which act it is.
    form(
        Denied,
        Said(Test),
        "leave|leaving the? test suite|run|runs alone|out|be",
        "leave the test suite alone for now",
        Test,
    ),
    form(
        Denied,
        Said(Network),
        "nothing over|via|from|through the? network|internet|web|wifi",
        "nothing over the network please",
        Network,
    ),
    form(
        Denied,
        Said(Change),
        "keep|leave the|my? working tree|copy|directory as|untouched|unchanged|clean|alone",
        "keep the working tree as it is",
        Change,
    ),
    form(
        Denied,
        Said(Change),
        "plan|planning|analysis only for|please|pls|now|$",
        "plan only for now",
        Change,
    ),
    form(
        Denied,
        Said(Change),
        "explain|describe|tell|show|propose|suggest|outline me? what|how you|you'd would|'d|will? CHANGE|do|fix then|and wait|stop",
        "explain what you would change, then wait",
        Change,
    ),
    form(
        Denied,
        Said(Change),
        "explain|tell|show|describe me? first what|how|which you|you'd|you’d|it",
        "explain first what you would change",
        Change,
    ),
    form(
        Denied,
        Said(Change),
        "just|only tell|show|explain|describe me? what|how|where|which you|you'd|you’d|it",
        "just tell me what you would change",
        Change,
    ),
    form(
        Denied,
        Said(Push),
        "branch|it|this|that|code|changes|commits doesn't|doesn’t|don't|don’t|isn't|isn’t|aren't|won't get|be|being? pushed",
        "the branch doesn't get pushed",
        Push,
    ),
    form(
        Denied,
        Said(Commit),
        "branch|it|this|that|code|changes doesn't|doesn’t|don't|don’t|isn't|isn’t|aren't|won't get|be|being? committed",
        "this doesn't get committed",
        Commit,
    ),
    form(
        Denied,
        Said(Serve),
        "leave|keep|leaving|keeping the? server|app|backend|service down|off|stopped",
        "leave the server down",
        Serve,
    ),
    form(
        Denied,
        Said(Network),
        "no outgoing|outbound|external|remote requests|calls|connections|traffic|network",
        "no outgoing requests please",
        Network,
    ),
    form(
        Denied,
        Said(Change),
        "plan|design|discuss|think first $",
        "plan first, code later",
        Change,
    ),
    form(Denied, Said(Change), "code|coding later|afterwards $", "plan first, code later", Change),
    form(Denied, Said(Change), "no code yet|for|now|please|pls|$", "no code yet", Change),
    form(
        Denied,
        Said(Push),
        "keep|keeping|leave IT_ALL local|locally|unpushed|private $",
        "keep it local please",
        Push,
    ),
    form(
        Denied,
        Said(Push),
        "keep|keeping|leave IT_ALL on my|this machine|laptop|branch|computer",
        "keep everything on my machine",
        Push,
    ),
    form(
        Denied,
        Said(Push),
        "nothing leaves|goes ~ machine|laptop|computer|out",
        "nothing leaves this machine",
        Push,
    ),
    form(
        Denied,
        Said(Commit),
        "keep|keeping|leave|leaving IT_ALL uncommitted|unstaged",
        "leave it uncommitted",
        Commit,
    ),
    form(
        Denied,
        Said(Commit),
        "keep|leave IT_ALL in the|my? working tree|copy|directory",
        "leave it in the working tree",
        Commit,
    ),
    form(
        Denied,
        Said(Network),
        "stay|work|working|staying|keep offline",
        "work offline please",
        Network,
    ),
    form(Denied, Said(Network), "DONT|NO LEAD* go|going online", "don't go online", Network),
    form(
        Denied,
        Said(Network),
        "DONT|NO LEAD* download|downloading|fetch anything|things|stuff",
        "don't download anything",
        Network,
    ),
    form(
        Denied,
        Said(Network),
        "no downloads|internet|network|wifi please|pls|here|now|today|for|access|calls|requests|at|$",
        "no network access please",
        Network,
    ),
    form(
        Denied,
        Said(Network),
        "without internet|network|downloading|downloads",
        "do it without network",
        Network,
    ),
    form(
        Denied,
        Said(Switch),
        "DONT|NO LEAD* switch|switching|change|changing|leave|leaving the|this|my? branch|branches",
        "don't switch branches",
        Switch,
    ),
    form(
        Denied,
        Said(Switch),
        "DONT|NO LEAD* create|creating|make|making|open|cut a|any|another? new? branch|branches",
        "don't create a new branch",
        Switch,
    ),
    form(Denied, Said(Switch), "no new branch|branches", "no new branches please", Switch),
    form(
        Denied,
        Said(Switch),
        "stay|remain|keep on|in this|the|my current? branch $",
        "stay on this branch",
        Switch,
    ),
    form(
        Denied,
        Said(Switch),
        "stay|remain|keep|work|only on|in this|the|my current? branch only|alone|please|pls",
        "work on this branch only",
        Switch,
    ),
    form(
        Denied,
        Said(Switch),
        "only work|commit on|in|to this|the|my current? branch",
        "only work on this branch",
        Switch,
    ),
    // What was said before holds no more.
    form(Lifted, Done, "ACT IS NOW* FINE !with|as|line|because", "commits are fine now", Commit),
    form(
        Lifted,
        Named,
        "ACT IS NOW* fine|ok|okay|allowed|good to NOW* run|start|apply|use|add|launch|execute|go",
        "the tests are fine to run now",
        Test,
    ),
    form(
        Lifted,
        Named,
        "ACT IS NOW* fine|ok|okay|allowed now|again|after",
        "the database is ok again",
        Database,
    ),
    form(
        Lifted,
        Named,
        "ACT IS NOW* unblocked|unfrozen|allowed|back",
        "migrations are allowed again",
        Migrate,
    ),
    form(
        Lifted,
        Named,
        "forget|ignore|disregard|scratch|drop what|that|everything? i|we said|wrote|told you? about|on|regarding NO_MORE* ACT",
        "forget what I said about not adding dependencies",
        Depend,
    ),
    form(
        Lifted,
        Named,
        "forget|ignore|disregard|scratch|drop|lift the|that|my? NO_MORE* ACT rule|ban|restriction|freeze|embargo",
        "drop the no commit rule",
        Commit,
    ),
    form(
        Lifted,
        Named,
        "NO_MORE* ACT rule|ban|restriction|freeze|embargo IS off|over|lifted|gone|void|dropped",
        "the push ban is lifted",
        Push,
    ),
    form(
        Lifted,
        Said(Test),
        "see|check|verify|confirm|know|tell me? if|whether|that the? SORT* tests|test|suite|specs IT_ALL* still|all|now? pass|passes|are|is|work|works|green",
        "let's see if the tests pass",
        Test,
    ),
    form(
        Lifted,
        Said(Test),
        "do|does|are|is the|all? SORT* tests|suite|specs still|all|now? pass|passing|green|work|ok",
        "do the tests pass now",
        Test,
    ),
    form(
        Lifted,
        Said(Serve),
        "start|run|launch|boot|fire up? yours|another|one",
        "mine is stopped, start yours",
        Serve,
    ),
    form(Lifted, Named, "go|going ahead with|on ACT", "go ahead with the tests", Test),
    form(
        Lifted,
        Named,
        "proceed|continue|carry on? with ACT",
        "carry on with the migration",
        Migrate,
    ),
    form(Lifted, Named, "i|we was|were wrong about|on ACT", "I was wrong about the tests", Test),
    form(
        Lifted,
        Said(Network),
        "wifi|wifi's|internet|network|connection|signal is? back|up|works",
        "wifi's back",
        Network,
    ),
    form(
        Lifted,
        Said(Network),
        "you|u can|may NOW* go online|again",
        "you can go online now",
        Network,
    ),
    form(
        Lifted,
        Said(Network),
        "you|u can|may NOW* use|hit|access|reach the network|internet|web",
        "you may use the network",
        Network,
    ),
    form(Lifted, Said(Network), "back|again online", "we are back online", Network),
];
