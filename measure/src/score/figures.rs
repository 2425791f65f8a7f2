//! The figures: a flat map of names to numbers, a table for people, and a check that none fell.

use super::replay::{Rule, Tally, replay, share};
use super::run::Run;
use crate::samples::Sample;
use brimline_core::tokens::{Estimator, Family, Features};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Names and numbers.
pub type Figures = BTreeMap<String, f64>;

/// The figures of all rules over these runs, and our own mistakes in words.
pub fn of_runs(runs: &[Run]) -> (Figures, Vec<String>) {
    let mut figures = Figures::new();
    let alone = replay(runs, Rule::Detector);
    let confirming = replay(runs, Rule::Confirming);
    let mistakes = [alone.mistakes.clone(), confirming.mistakes.clone()].concat();
    of_rule(&mut figures, "", &alone, &confirming);
    for (prefix, rule) in [("baseline_", Rule::Baseline), ("half_", Rule::Half)] {
        let tally = replay(runs, rule);
        of_rule(&mut figures, prefix, &tally, &tally);
    }
    let mut add = |name: &str, value: f64| figures.insert(name.to_owned(), value);
    let mut errors = alone.prediction_errors.clone();
    add("calibrated_p95_error", quantile(&mut errors, 0.95));
    add("calibrated_median_error", quantile(&mut errors, 0.5));
    for (name, part, of) in [
        ("shift_rate", confirming.shifts_named, confirming.shifts),
        ("refusal_rate", confirming.refusals_named, confirming.refusals),
        ("uncounted_never_fits_rate", confirming.uncounted_named, confirming.uncounted),
    ] {
        if of > 0 {
            add(name, share(part, of));
        }
    }
    (figures, mistakes)
}

fn of_rule(figures: &mut Figures, prefix: &str, alone: &Tally, confirming: &Tally) {
    for (name, value) in [
        ("first_cut_rate", alone.first_cut_rate()),
        ("suspect_rate", alone.suspect_rate()),
        ("first_cut_rate_confirmed", confirming.first_cut_rate()),
        ("false_alarms_confirmed", confirming.accused as f64),
        ("extra_request_rate", confirming.extra_request_rate()),
        ("never_noticed", alone.never_noticed_rate()),
    ] {
        figures.insert(format!("{prefix}{name}"), value);
    }
}

/// The estimator's errors on these texts, before any calibration: for every family that counted them with the family
/// known, and over all of them with it unknown.
pub fn of_samples(samples: &[Sample]) -> Figures {
    let counted: Vec<(Features, &Sample)> =
        samples.iter().map(|sample| (Features::of(&sample.text), sample)).collect();
    let errors = |estimated_as: Family, counted_by: Family| -> Vec<f64> {
        let estimator = Estimator::for_family(estimated_as);
        let error = |(features, sample): &(Features, &Sample)| {
            let actual = f64::from(sample.tokens_of(counted_by)?);
            (actual > 0.0).then(|| (estimator.tokens(features) - actual).abs() / actual)
        };
        counted.iter().filter_map(error).collect()
    };
    let mut figures = Figures::new();
    let mut unknown = Vec::new();
    for family in Family::KNOWN {
        unknown.extend(errors(Family::Unknown, family));
        add_errors(&mut figures, family.name(), errors(family, family));
    }
    add_errors(&mut figures, Family::Unknown.name(), unknown);
    figures
}

fn add_errors(figures: &mut Figures, family: &str, mut errors: Vec<f64>) {
    if errors.is_empty() {
        return;
    }
    for (name, at) in [("median_error", 0.5), ("p95_error", 0.95), ("worst_error", 1.0)] {
        figures.insert(format!("{name}.{family}"), quantile(&mut errors, at));
    }
}

/// The value below which that share of the values lies; zero where there are none.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let index = (last as f64 * share).round() as usize;
    values.get(index).copied().unwrap_or(0.0)
}

/// The figures as a table: our rules, the baseline and the half rule side by side, then the estimator.
pub fn table(figures: &Figures) -> String {
    let mut text = String::new();
    let cell = |name: &str| figures.get(name).map_or("–".to_owned(), |value| shown(name, *value));
    // Writing to a string can't fail.
    let _ = writeln!(text, "{:<34}{:>10}{:>10}{:>10}", "", "ours", "baseline", "half");
    for (name, label) in [
        ("first_cut_rate", "first cut noticed, usage alone"),
        ("suspect_rate", "healthy turns suspected"),
        ("first_cut_rate_confirmed", "first cut noticed, confirming"),
        ("false_alarms_confirmed", "false alarms, confirming"),
        ("extra_request_rate", "extra requests a turn"),
        ("never_noticed", "cut runs never noticed"),
    ] {
        let (ours, baseline) = (cell(name), cell(&format!("baseline_{name}")));
        let half = cell(&format!("half_{name}"));
        let _ = writeln!(text, "{label:<34}{ours:>10}{baseline:>10}{half:>10}");
    }
    for (name, label) in [
        ("calibrated_median_error", "next request's size, median error"),
        ("calibrated_p95_error", "next request's size, 95th perc."),
        ("shift_rate", "shifts named"),
        ("refusal_rate", "refusals named"),
        ("uncounted_never_fits_rate", "uncounted turns not called whole"),
    ] {
        if figures.contains_key(name) {
            let _ = writeln!(text, "{label:<34}{:>10}", cell(name));
        }
    }
    let _ = writeln!(
        text,
        "\n{:<34}{:>10}{:>10}{:>10}",
        "estimator, error per text", "median", "95th p.", "worst"
    );
    for name in figures.keys() {
        if let Some(family) = name.strip_prefix("median_error.") {
            let (p95, worst) = (cell(&format!("p95_error.{family}")), cell(&format!("worst_error.{family}")));
            let _ = writeln!(text, "{family:<34}{:>10}{p95:>10}{worst:>10}", cell(name));
        }
    }
    text
}

fn shown(name: &str, value: f64) -> String {
    if name.ends_with("false_alarms_confirmed") {
        format!("{value}")
    } else {
        format!("{:.2} %", value * 100.0)
    }
}

/// How far a figure may be off by rounding, on another machine.
const SLACK: f64 = 1e-6;

/// The figures that are worse than they were, as lines to print. A figure that is gone is worse, too.
pub fn worse(before: &Figures, now: &Figures) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, old) in before.iter().filter(|(name, _)| !is_of_others(name)) {
        let line = match now.get(name) {
            None => Some(format!("{name} is gone; it was {old}")),
            Some(new) if higher_is_better(name) && *new < old - SLACK => {
                Some(format!("{name} fell from {old} to {new}"))
            }
            Some(new) if !higher_is_better(name) && *new > old + SLACK => {
                Some(format!("{name} rose from {old} to {new}"))
            }
            Some(_) => None,
        };
        lines.extend(line);
    }
    lines
}

/// The rules that we are measured against may do what they want.
fn is_of_others(name: &str) -> bool {
    name.starts_with("baseline_") || name.starts_with("half_")
}

fn higher_is_better(name: &str) -> bool {
    ["first_cut_rate", "shift_rate", "refusal_rate", "uncounted_never_fits_rate"]
        .iter()
        .any(|good| name.starts_with(good))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(values: &[(&str, f64)]) -> Figures {
        values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    }

    #[test]
    fn says_which_figures_are_worse() {
        let before = figures(&[
            ("first_cut_rate", 0.97),
            ("suspect_rate", 0.01),
            ("never_noticed", 0.0),
            ("baseline_first_cut_rate", 0.4),
            ("p95_error.qwen2.5", 0.12),
        ]);
        let now = figures(&[
            ("first_cut_rate", 0.96),
            ("suspect_rate", 0.005),
            ("never_noticed", 0.0),
            ("baseline_first_cut_rate", 0.3),
        ]);
        assert_eq!(
            worse(&before, &now),
            ["first_cut_rate fell from 0.97 to 0.96", "p95_error.qwen2.5 is gone; it was 0.12"]
        );
        assert_eq!(worse(&before, &before), Vec::<String>::new());
    }

    #[test]
    fn quantiles_of_few_values() {
        assert_eq!(quantile(&mut [], 0.5), 0.0);
        assert_eq!(quantile(&mut [3.0, 1.0, 2.0], 0.5), 2.0);
        assert_eq!(quantile(&mut [3.0, 1.0, 2.0], 1.0), 3.0);
    }
}
