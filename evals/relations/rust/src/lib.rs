//! Tide tables of a few harbours.

mod store; //= imports src/store/mod.rs
pub mod units; //= imports src/units.rs

pub use store::{Store, StoreError}; //= imports src/store/mod.rs Store; imports src/store/error.rs StoreError
use units::{Metres, to_feet}; //= imports src/units.rs Metres; imports src/units.rs to_feet

pub const HARBOURS: usize = 3;

/// One high water.
#[derive(Debug, Clone)]
pub struct Tide {
    pub hour: u32,
    pub height: Metres, //= uses src/units.rs Metres
}

pub trait Describe {
    fn name(&self) -> String;

    fn line(&self) -> String {
        format!("{}:", self.name()) //= calls src/lib.rs Describe.name
    }
}

impl Describe for Tide { //= extends src/lib.rs Describe
    fn name(&self) -> String {
        format!("tide at {}", self.hour)
    }
}

impl Tide {
    pub fn new(hour: u32, height: Metres) -> Self { //= uses src/units.rs Metres
        Tide { hour, height } //= calls src/lib.rs Tide
    }

    pub fn feet(&self) -> f64 {
        to_feet(&self.height) //= calls src/units.rs to_feet
    }

    pub fn later(&self, hours: u32) -> Tide { //= uses src/lib.rs Tide
        Self::new(self.hour + hours, self.height.clone()) //= calls src/lib.rs Tide.new
    }
}

pub fn table(store: &Store) -> Result<Vec<String>, StoreError> { //= uses src/store/mod.rs Store; uses src/store/error.rs StoreError
    let mut lines = Vec::with_capacity(HARBOURS); //= uses src/lib.rs HARBOURS
    for harbour in store.harbours() { //= calls src/store/mod.rs Store.harbours
        let tide = store.next(harbour)?; //= calls src/store/mod.rs Store.next
        lines.push(tide.line()); //= calls src/lib.rs Describe.line
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tide_comes_later() {
        let tide = Tide::new(3, Metres(1.0)); //= calls src/lib.rs Tide.new; tested_by src/lib.rs Tide.new; uses src/lib.rs Tide; tested_by src/lib.rs Tide; calls src/units.rs Metres; tested_by src/units.rs Metres
        assert_eq!(tide.later(2).hour, 5); //= calls src/lib.rs Tide.later; tested_by src/lib.rs Tide.later
    }
}
