"""Small trained models for the story of the wrong head count, and everything that made them."""
