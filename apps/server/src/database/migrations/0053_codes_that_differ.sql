-- Whether a second count has codes without a product that the first has not, or not as often, as it was found when the second count
-- closed: what is decided about such a code later is not what was found. Null of one that closed before this was noted.
alter table second_counts add column codes_differ boolean;
