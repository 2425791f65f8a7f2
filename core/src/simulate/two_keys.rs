//! The conversation that doesn't fit: one key in the system prompt, one in the first message, twelve meeting notes, and
//! a last question for both.
//!
//! Always the same 27 messages after the system prompt, about 6,200 tokens by the rule of four characters each. On a
//! server with a window of 4,096 that drops the oldest messages, the answer has the system's key and never the task's.

/// The key in the system prompt.
pub const SYSTEM_KEY: &str = "ALFA-3141";

/// The key in the first message.
pub const TASK_KEY: &str = "BRAVO-2718";

/// The system prompt.
pub fn system_prompt() -> String {
    format!("You are a careful secretary. The system's key is {SYSTEM_KEY}. Answer briefly.")
}

/// The 27 messages, from the user and the assistant in turn, the user first.
pub fn messages() -> Vec<String> {
    let mut messages = vec![format!(
        "Keep this for the end of our talk: the task's key is {TASK_KEY}. It matters a great deal."
    )];
    for meeting in 1..=MEETINGS {
        messages.extend([UNDERSTOOD.to_owned(), notes(meeting)]);
    }
    messages.extend([UNDERSTOOD.to_owned(), QUESTION.to_owned()]);
    messages
}

const UNDERSTOOD: &str = "Understood.";

/// So many meetings.
const MEETINGS: usize = 12;

const QUESTION: &str = "Those were all the notes. Now tell me both keys: the system's, and the one that I gave you for this task.";

/// The notes of one meeting: plain prose, about 2,000 characters.
fn notes(meeting: usize) -> String {
    let mut text = format!("Notes of meeting {meeting}.\n");
    let mut point = 0;
    while text.len() < NOTE_BYTES {
        let pick = |list: &[&'static str; 7], step: usize| {
            list.get((meeting * 3 + point * step) % 7).copied().unwrap_or("")
        };
        text.push_str(&format!(
            "Point {meeting}.{point}: the {} team went over the {} and agreed to {} before the week is out. {} asked for \
             figures on the {}, and the others promised to bring them next time.\n",
            pick(&TEAMS, 1),
            pick(&SUBJECTS, 2),
            pick(&PLANS, 3),
            pick(&PEOPLE, 4),
            pick(&FIGURES, 5),
        ));
        point += 1;
    }
    text.truncate(text.floor_char_boundary(NOTE_BYTES));
    text
}

/// A note is of so many bytes and then breaks off, which makes the conversation about 6,200 tokens of four characters.
const NOTE_BYTES: usize = 2_030;

const TEAMS: [&str; 7] = ["harbour", "night", "repair", "front desk", "archive", "kitchen", "garden"];
const SUBJECTS: [&str; 7] = [
    "orders that are still open",
    "new shelves in the store room",
    "plan for the winter shifts",
    "complaints of last month",
    "training of the two newcomers",
    "budget for the spring",
    "repairs to the old boiler",
];
const PLANS: [&str; 7] = [
    "move the Tuesday delivery to Wednesday",
    "count the stock once more",
    "write to the supplier",
    "swap two of the late shifts",
    "call the insurance about it",
    "put the older boxes in front",
    "ask three firms for a price",
];
const PEOPLE: [&str; 7] = ["Marta", "Jonas", "Irene", "Samuel", "Nadia", "Tomas", "Greta"];
const FIGURES: [&str; 7] = [
    "fuel that each van burns",
    "hours spent on returns",
    "cost of the packing paper",
    "share of late arrivals",
    "parcels lost in a month",
    "time that a repair takes",
    "electricity of the cold room",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_as_long_as_the_articles() {
        let messages = messages();
        let characters: usize = messages.iter().map(|text| text.chars().count()).sum();
        assert_eq!(messages.len(), 27);
        assert!((24_300..25_300).contains(&characters), "{characters}");
        assert_eq!(messages.iter().filter(|text| text.contains(TASK_KEY)).count(), 1);
    }
}
