/** Of tries before it is left to the next time: each ends because another device was faster. */
const MAX_TRIES = 4;

/**
 * Fetches what is new on the server, merges it in, and sends what is new here, until both have the
 * same. Safe at any moment and after any failure: a record counts as sent once the server said so.
 *
 * @param server kintoServer or weaveServer: `changesSince`, `store`
 */
export async function sync(notes, records, server) {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const since = await records.about('until');
    const { changes, until } = await server.changesSince(since);
    await notes.take(changes);
    await records.setAbout('until', until);
    const unsent = await notes.unsent();
    if (unsent.length === 0) return;
    await notes.sent(await server.store(unsent, until));
  }
}
