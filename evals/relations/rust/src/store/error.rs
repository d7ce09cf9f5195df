use std::fmt;

#[derive(Debug)]
pub enum StoreError {
    Unknown(String),
    Empty,
}

impl StoreError {
    pub fn unknown(name: &str) -> Self {
        StoreError::Unknown(name.to_string()) //= calls src/store/error.rs StoreError.Unknown; uses src/store/error.rs StoreError
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Unknown(name) => write!(f, "no harbour {name}"), //= uses src/store/error.rs StoreError.Unknown; uses src/store/error.rs StoreError
            StoreError::Empty => write!(f, "no tide"), //= uses src/store/error.rs StoreError.Empty; uses src/store/error.rs StoreError
        }
    }
}
