/* How `npm run fuzz` divides its time among the targets. */

/** Inputs per second of a target that was never run: few. */
const UNKNOWN_RATE = 500;
/** Of the time, so much is divided: the last target to end need not end in the last second. */
const DIVIDED = 0.95;

/**
 * Each target needs the time for `executions` inputs at the rate of its last run, at least `seconds`. Where there is
 * more time than all need together, each may take longer in proportion; where there is less, each has less.
 *
 * @param names of the targets
 * @param tally `targets` of bench/results/fuzz.json
 * @param how `withinSeconds` for all of them, of which `jobs` run at a time
 * @returns `{ name, mostSeconds }` for each, those that need most first: so the jobs end at about the same time
 */
export function shares(names, tally, { executions, seconds, withinSeconds, jobs }) {
  const needs = names.map((name) => {
    return { name, need: Math.max(seconds, executions / rateOf(tally[name])) };
  });
  const sum = needs.reduce((all, { need }) => all + need, 0);
  const factor = (DIVIDED * jobs * withinSeconds) / sum;
  return needs
    .sort((a, b) => b.need - a.need)
    .map(({ name, need }) => ({ name, mostSeconds: Math.min(withinSeconds, need * factor) }));
}

/** Tallies from before 2026-11-26 have no time of the last run. */
function rateOf(target) {
  const { executions, seconds } = target?.last?.seconds > 0 ? target.last : (target ?? {});
  return executions > 0 && seconds > 0 ? executions / seconds : UNKNOWN_RATE;
}
