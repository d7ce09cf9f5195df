#[derive(Debug, Clone)]
pub struct Metres(pub f64);

const FEET: f64 = 3.281;

pub fn to_feet(metres: &Metres) -> f64 { //= uses src/units.rs Metres
    round(metres.0 * FEET) //= calls src/units.rs round; uses src/units.rs FEET
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
