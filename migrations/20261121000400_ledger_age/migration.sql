CREATE INDEX deliveries_created_at_idx ON deliveries (created_at);
