-- Between which moments of Shopify's clock the last send of a chunk that may have run was applied, if it was: by that a sale of exactly the
-- delta, hours later, is told from it. Null of one that a server of an earlier release has sent.
alter table adjustment_chunks
  add column applicable_from timestamptz,
  add column applicable_until timestamptz;
