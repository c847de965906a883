//! When the classifier runs. It may look at the turn and the message only, so that the decision is
//! the same live and in a simulation.

use super::config::Classifier;
use super::follow_up::is_follow_up;
use crate::decision::{Due, Reason};
use behavior_image::classifier::{ClassifierTable, Frequency};

/// Whether the classifier runs on a turn; without one it never does.
#[must_use]
pub fn due(classifier: Option<&ClassifierTable>, turn: u32, text: Option<&str>) -> Due {
    match classifier {
        Some(config) => Classifier::new(config).due(turn, text),
        None => Due { runs: false, reason: Reason::Disabled },
    }
}

impl Classifier<'_> {
    /// Whether the classifier runs on turn number `turn` (the first is 1), which the user's message
    /// `text` began; `None` for a turn that no user began.
    #[must_use]
    pub fn due(&self, turn: u32, text: Option<&str>) -> Due {
        let reason = if !self.enabled {
            Reason::Disabled
        } else if self.skip_followups && text.is_some_and(is_follow_up) {
            Reason::FollowUp
        } else if !self.includes(turn, text) {
            Reason::Frequency
        } else {
            Reason::Due
        };
        Due { runs: reason == Reason::Due, reason }
    }

    fn includes(&self, turn: u32, text: Option<&str>) -> bool {
        match self.frequency {
            Frequency::EveryTurn => true,
            Frequency::FirstTurn => turn == 1,
            Frequency::EveryNTurns => self.frequency_n > 0 && turn.is_multiple_of(self.frequency_n),
            Frequency::OnNewMessage => text.is_some_and(|text| !text.trim().is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reason;
    use crate::classifier::{Classifier, ClassifierTable, Frequency};

    fn with(frequency: Frequency) -> ClassifierTable {
        ClassifierTable { enabled: true, frequency, ..ClassifierTable::standard() }
    }

    #[track_caller]
    fn check(classifier: &ClassifierTable, turn: u32, text: Option<&str>, expect: Reason) {
        let due = Classifier::new(classifier).due(turn, text);
        assert_eq!(due.reason, expect, "turn {turn}, {text:?}");
        assert_eq!(due.runs, expect == Reason::Due);
    }

    #[test]
    fn a_disabled_classifier_never_runs() {
        let off = ClassifierTable { enabled: false, ..with(Frequency::EveryTurn) };
        check(&off, 1, Some("fix the build"), Reason::Disabled);
        check(&off, 1, Some("ok"), Reason::Disabled);
    }

    #[test]
    fn every_turn_runs_also_without_a_message() {
        check(&with(Frequency::EveryTurn), 7, Some("fix the build"), Reason::Due);
        check(&with(Frequency::EveryTurn), 7, None, Reason::Due);
    }

    #[test]
    fn first_turn_runs_on_turn_1() {
        check(&with(Frequency::FirstTurn), 1, Some("fix the build"), Reason::Due);
        check(&with(Frequency::FirstTurn), 2, Some("fix the build"), Reason::Frequency);
    }

    #[test]
    fn every_n_turns_runs_when_the_turn_is_a_multiple_of_n() {
        let third = with(Frequency::EveryNTurns);
        for turn in [1, 2, 4, 5, 7] {
            check(&third, turn, Some("fix the build"), Reason::Frequency);
        }
        for turn in [3, 6, 9] {
            check(&third, turn, Some("fix the build"), Reason::Due);
        }
        let never = ClassifierTable { frequency_n: 0, ..third };
        check(&never, 3, Some("fix the build"), Reason::Frequency);
    }

    #[test]
    fn on_new_message_runs_only_when_the_user_sent_one() {
        check(&with(Frequency::OnNewMessage), 2, Some("fix the build"), Reason::Due);
        check(&with(Frequency::OnNewMessage), 2, None, Reason::Frequency);
        check(&with(Frequency::OnNewMessage), 2, Some(" \n"), Reason::Frequency);
    }

    #[test]
    fn an_acknowledgement_is_looked_at_before_the_frequency() {
        check(&with(Frequency::FirstTurn), 2, Some("ok"), Reason::FollowUp);
        check(&with(Frequency::FirstTurn), 1, Some("ok"), Reason::FollowUp);
        check(&with(Frequency::EveryNTurns), 2, Some("continue"), Reason::FollowUp);
    }

    #[test]
    fn acknowledgements_run_where_they_are_not_skipped() {
        let all = ClassifierTable { skip_followups: false, ..with(Frequency::EveryTurn) };
        check(&all, 2, Some("ok"), Reason::Due);
    }

    #[test]
    fn reasons_are_named_as_decisions_show_them() {
        let names = [Reason::Due, Reason::FollowUp, Reason::Frequency, Reason::Disabled];
        assert_eq!(names.map(Reason::name), ["due", "follow_up", "frequency", "disabled"]);
    }
}
