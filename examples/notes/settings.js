import { kintoServer } from './kinto-server.js';
import { weaveServer } from './weave-server.js';

/* Which server, under which name and password: sealed on this device like a note, sent nowhere. */
const ID = 'settings';
const SERVERS = { kinto: kintoServer, weave: weaveServer };

/** @returns { kind, address, name, password }, or null where none is chosen */
export async function readSettings(records, collection) {
  const payload = await records.about(ID);
  if (payload === undefined) return null;
  return (await collection.open({ id: ID, payload })).payload.server;
}

export async function writeSettings(records, collection, server) {
  const { payload } = await collection.seal({ id: ID, payload: { server } });
  await records.setAbout(ID, payload);
  // Of another server nothing is known yet.
  await records.setAbout('until', undefined);
}

export function serverOf(settings) {
  return settings && SERVERS[settings.kind](settings);
}
