import { connect } from './connection.js';
import { Notes } from './notes.js';
import { openRecords } from './records.js';
import { explain, watchSealwright } from './sealwright.js';
import { Rounds } from './rounds.js';
import { readSettings, serverOf, writeSettings } from './settings.js';
import { sync } from './sync.js';
import { View } from './view.js';

/*
 * The app: what happens when. Sealing is in notes.js, the way to the server in sync.js, what is to
 * be seen in view.js.
 */
const SYNC_EVERY_MS = 30_000;
const SYNC_AFTER_MS = 800;

const records = await openRecords();
const view = new View({
  connect: () => doing(start),
  add: () => doing(async () => view.edit((await session.notes.add()).id)),
  write: (id, text) => doing(() => session.notes.write(id, text)),
  remove: (id) => doing(() => session.notes.remove(id)),
  restore: (id, text) => doing(() => session.notes.restore(id, text)),
  keepBoth: (id) => doing(() => session.notes.keepBoth(id)),
  syncNow: () => doing(syncNow),
  rotate: () => doing(rotate),
  retry: () => doing(retry),
  chooseServer: (server) => doing(() => chooseServer(server)),
});

/** While the vault is open and the user has allowed it: the notes in memory, and the keys. */
let session = null;
let starting = null;
let timer;

watchSealwright({ capabilities: ['sync'] }).subscribe(({ name }) => {
  view.showState(name, explain(name));
  if (name === 'ready') void doing(start);
  // After locking, no plaintext stays on the screen.
  else if (name !== 'looking') close();
});

function start() {
  starting ??= begin().finally(() => {
    starting = null;
  });
  return starting;
}

async function begin() {
  if (session) return;
  const connection = await connect();
  const notes = new Notes(records, connection.collection);
  const settings = await readSettings(records, connection.collection);
  const current = { connection, notes, server: serverOf(settings) };
  current.syncs = new Rounds(() => syncOnce(current));
  session = current;
  // What was still under way when the vault was locked does not come back to the screen.
  const isCurrent = () => session?.notes === notes;
  notes.addEventListener('change', () => isCurrent() && view.showNotes(notes.list));
  notes.addEventListener('edit', () => isCurrent() && syncSoon());
  await notes.open();
  if (!isCurrent()) return;
  view.showSettings(settings);
  view.showState('ready', explain('ready'));
  await syncNow();
}

function close() {
  session = null;
  clearTimeout(timer);
  view.showNotes([]);
  view.showSettings(null);
}

// ---------------------------------------------------------------- the server

async function chooseServer(settings) {
  const current = session;
  const before = current.server;
  // A sync that is under way is with the old server: it must not leave its traces with the new one.
  current.server = null;
  await current.syncs.idle();
  try {
    current.server = await prepared(settings, current);
  } catch (error) {
    current.server = before;
    throw error;
  }
  view.showSettings(settings);
  void doing(syncNow);
}

async function prepared(settings, { connection, notes }) {
  const server = serverOf(settings);
  // A key of Firefox Sync's kind seals nothing before it has the keys that are on its server.
  await connection.collectionKeys.load(server);
  await writeSettings(records, connection.collection, settings);
  await notes.sendAll();
  return server;
}

/** Without a server or a network the notes are simply here. */
async function syncNow() {
  clearTimeout(timer);
  const current = session;
  if (!current.server) return view.showSync('here');
  view.showSync('syncing');
  try {
    const isDone = await current.syncs.run();
    // Another, for what has come meanwhile, will say so itself.
    if (isDone && current.syncs.isIdle) view.showSync('synced');
  } catch (error) {
    view.showSync(isOffline(error) ? 'offline' : 'failed', explain(error));
  }
  if (session === current) timer = setTimeout(() => void doing(syncNow), SYNC_EVERY_MS);
}

/** @returns false where the server has been taken away meanwhile, because another one is chosen */
async function syncOnce({ connection, notes, server }) {
  if (!server) return false;
  // What has not opened so far may be under the keys that have just come.
  if (await connection.collectionKeys.load(server)) await notes.retry();
  await sync(notes, records, server);
  return true;
}

/** Soon, but not at every key stroke. */
function syncSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => void doing(syncNow), SYNC_AFTER_MS);
}

/** fetch rejects with a TypeError when it reaches no server. */
function isOffline(error) {
  return !navigator.onLine || error instanceof TypeError;
}

addEventListener('online', () => session && void doing(syncNow));

// ---------------------------------------------------------------- keys

async function rotate() {
  const { connection, server, notes } = session;
  await connection.rotate(server);
  await notes.resealAll();
  await syncNow();
}

/** After the newest key has come to this device: by a restored backup, or from the server. */
async function retry() {
  const { connection, notes, server } = session;
  await connection.collectionKeys.load(server);
  await notes.retry();
}

/** What a person started either works, or says why not. @returns whether it worked */
async function doing(work) {
  try {
    await work();
    view.showTrouble('');
    return true;
  } catch (error) {
    view.showTrouble(explain(error));
    return false;
  }
}
