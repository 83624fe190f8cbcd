-- What Shopify's clock showed when the backup was made that a session came out of, as far as the backup itself tells.
alter table sessions add column backup_shop_time timestamptz;
