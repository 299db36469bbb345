/*
 * Two devices have changed one note: what becomes of it. Nothing that anybody wrote is lost.
 *
 * @param mine the note here, or undefined
 * @param theirs the note as the server has it
 * @returns the note to keep, and a copy beside it where two texts are left
 */
export function merge(mine, theirs) {
  if (!mine?.unsent || isSame(mine, theirs)) return { note: theirs };
  const generation = Math.max(mine.generation, theirs.generation);
  // A note that was still being written was not meant to be deleted.
  if (mine.deleted) return { note: theirs };
  if (theirs.deleted) return { note: { ...mine, generation: generation + 1 } };
  return { note: theirs, copy: { text: mine.text, conflictOf: mine.id } };
}

function isSame(a, b) {
  return a.text === b.text && a.deleted === b.deleted;
}
