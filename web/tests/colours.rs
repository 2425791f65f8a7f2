//! The picture's colours, read from the style sheet that the page uses: what must be told apart can be, by every kind of
//! eye, on every surface.

use palette::color_difference::{Ciede2000, Wcag21RelativeContrast};
use palette::{FromColor, Lab, LinSrgb, Srgb};

const TOKENS: &str = include_str!("../styles/tokens.css");
const THEMES: [&str; 2] = ["light", "dark"];
const SURFACES: [&str; 2] = ["--surface-page", "--surface-panel"];
const FILLS: [&str; 6] = ["system", "request", "assistant", "tool", "reserve", "discarded"];

/// The colour that a custom property has in a theme.
fn colour(property: &str, theme: &str) -> Srgb<f32> {
    let start = format!("{property}: light-dark(");
    let both = TOKENS.split_once(&start).and_then(|(_, rest)| rest.split_once(')'));
    let both = both.and_then(|(both, _)| both.split_once(','));
    let hex = both.map(|(light, dark)| if theme == "light" { light.trim() } else { dark.trim() });
    let colour = hex.and_then(|hex| hex.parse::<Srgb<u8>>().ok());
    colour.unwrap_or_else(|| panic!("{property} is a light-dark() of two hex colours")).into_format()
}

/// The pairs of colours whose contrast is too low.
fn too_faint(pairs: impl IntoIterator<Item = (String, String)>, least: f32) -> Vec<String> {
    let pairs: Vec<_> = pairs.into_iter().collect();
    assert!(!pairs.is_empty());
    let faint = |theme: &str, (front, back): &(String, String)| {
        let contrast = colour(front, theme).relative_contrast(colour(back, theme));
        (contrast < least).then(|| format!("{theme}: {front} on {back}: {contrast:.2}"))
    };
    THEMES.iter().flat_map(|theme| pairs.iter().filter_map(move |pair| faint(theme, pair))).collect()
}

fn on_every_surface(properties: impl IntoIterator<Item = String>) -> Vec<(String, String)> {
    let on = |front: String| SURFACES.map(|back| (front.clone(), back.to_owned()));
    properties.into_iter().flat_map(on).collect()
}

#[test]
fn the_surfaces_are_the_design_s() {
    let hex = |property: &str, theme: &str| format!("{:x}", colour(property, theme).into_format::<u8>());
    let surfaces = THEMES.map(|theme| SURFACES.map(|surface| hex(surface, theme)));
    assert_eq!(surfaces, [["f4f6f8", "ffffff"], ["0f1318", "1a2027"]]);
}

#[test]
fn every_fill_stands_out_from_the_surfaces() {
    let fills = FILLS.map(|fill| format!("--fill-{fill}")).into_iter().chain(["--edge-free".to_owned()]);
    assert_eq!(too_faint(on_every_surface(fills), 3.1), Vec::<String>::new());
}

#[test]
fn every_label_can_be_read_on_its_fill() {
    let pairs = FILLS.map(|fill| (format!("--label-{fill}"), format!("--fill-{fill}")));
    assert_eq!(too_faint(pairs, 4.5), Vec::<String>::new());
}

#[test]
fn every_text_can_be_read() {
    let texts = ["--ink", "--ink-soft", "--tone-good", "--tone-doubt", "--tone-bad", "--tone-unknown"];
    let washes = ["good", "doubt", "bad", "unknown"].map(|tone| format!("--tone-{tone}-wash"));
    let on_washes = ["good", "doubt", "bad", "unknown"].map(|tone| format!("--tone-{tone}"));
    let on_washes = on_washes.into_iter().zip(washes.clone());
    let ink_on_washes = washes.into_iter().map(|wash| ("--ink".to_owned(), wash));
    let buttons =
        [("--on-accent", "--accent"), ("--ink-soft", "--surface-sunken"), ("--ink", "--surface-sunken")];
    let buttons = buttons.map(|(front, back)| (front.to_owned(), back.to_owned()));
    let pairs = on_every_surface(texts.map(str::to_owned));
    let pairs = pairs.into_iter().chain(on_washes).chain(ink_on_washes).chain(buttons);
    assert_eq!(too_faint(pairs, 4.5), Vec::<String>::new());
}

#[test]
fn controls_and_focus_stand_out() {
    let edges = ["--line-strong", "--focus"].map(str::to_owned);
    assert_eq!(too_faint(on_every_surface(edges), 3.0), Vec::<String>::new());
}

type Matrix = [[f32; 3]; 3];

/// How a kind of eye sees a colour, as a matrix on linear RGB: Machado, Oliveira and Fernandes, "A Physiologically-based
/// Model for Simulation of Color Vision Deficiency" (2009), at full severity.
const EYES: [(&str, Matrix); 4] = [
    ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protan",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deutan",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_82, 0.042_94, 0.968_881],
        ],
    ),
    (
        "tritan",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_9],
        ],
    ),
];

fn seen(colour: Srgb<f32>, eye: Matrix) -> Lab {
    let linear: LinSrgb<f32> = colour.into_linear();
    let channels = eye.map(|[red, green, blue]| {
        (red * linear.red + green * linear.green + blue * linear.blue).clamp(0.0, 1.0)
    });
    Lab::from_color(LinSrgb::from(channels))
}

#[test]
fn every_two_fills_can_be_told_apart() {
    let mut alike = Vec::new();
    for theme in THEMES {
        for (eye, matrix) in EYES {
            for (index, one) in FILLS.iter().enumerate() {
                for other in &FILLS[index + 1..] {
                    let [first, second] =
                        [one, other].map(|fill| seen(colour(&format!("--fill-{fill}"), theme), matrix));
                    let difference = first.difference(second);
                    if difference < 19.0 {
                        alike.push(format!("{theme}, {eye}: {one} and {other}: {difference:.1}"));
                    }
                }
            }
        }
    }
    assert_eq!(alike, Vec::<String>::new());
}
