"""Changes to memories: new versions and reviews, forgetting, and the common index in step with both."""
