import type { ParamsOf, ResultOf, UiMethod } from '../../../../src/rpc/methods/methods.ts';

const MINUTE = 60_000;
const NOW = Date.now();

type Entry = ResultOf<'ui.activity'>['entries'][number];

/** The state of a fake audit log. */
export interface ActivityWorld {
  activity: Entry[];
  usage: ResultOf<'ui.activityUsage'>;
}

const app = { ref: 'app', kind: 'app', label: 'App key' };
const photos = { ref: 'k1', kind: 'sealing', label: 'Family photos' };
const deleted = { ref: 'k9', kind: '', label: '' };

function entry(minutesAgo: number, changes: Partial<Entry>): Entry {
  const from = NOW - minutesAgo * MINUTE;
  const usual = { from, until: from, origin: null, container: null, key: null };
  return { ...usual, operation: 'unlock', result: 'ok', uses: 1, bytes: 0, ...changes };
}

const notes = { origin: 'https://notes.example.org', key: app };
/** Thirty days of one site with varying numbers of calls. */
function usage(origin: string, calls: number, bytesOfCall: number, refused = 0) {
  const days = Array.from({ length: 30 }, (_, i) => {
    const count = Math.round(calls * (1 + Math.sin(i * 1.7)) * (i % 7 < 5 ? 1 : 0));
    const day = new Date(NOW - (29 - i) * 1440 * MINUTE).toISOString().slice(0, 10);
    return { day, calls: count, bytes: count * bytesOfCall, refused: i === 27 ? refused : 0 };
  });
  return { origin, days };
}

const album = { origin: 'https://xn--bcher-kva.example', key: photos };

/** Entries and usage of a vault that is in use. */
export const activityWorld = (): ActivityWorld => ({
  activity: [
    entry(2, { ...notes, operation: 'seal', uses: 214, bytes: 1_830_000 }),
    entry(4, { ...notes, operation: 'openMany', uses: 1200, bytes: 734_003 }),
    entry(9, { ...album, operation: 'releaseOpen', bytes: 734_003_200 }),
    entry(12, { ...album, operation: 'open', result: 'EXPIRED', uses: 3, bytes: 3000 }),
    entry(15, { ...notes, operation: 'grant' }),
    entry(16, {}),
    entry(17, { result: 'AUTH_FAILED', uses: 2 }),
    entry(590, { operation: 'unlockByCode' }),
    entry(600, { operation: 'lockByTime' }),
    entry(660, { ...album, key: deleted, operation: 'seal', bytes: 512 }),
    entry(2000, { operation: 'makeBackup' }),
  ],
  usage: [
    usage('https://notes.example.org', 46, 1800),
    usage('https://xn--bcher-kva.example', 2, 24_000_000),
    usage('https://chat.example.com', 9, 300, 12),
  ],
});

type ActivityMethod = Extract<UiMethod, `ui.${string}ctivity${string}`>;

/** The activity methods over a fake log. */
export function activityImplementations(world: ActivityWorld): {
  [M in ActivityMethod]: (params: ParamsOf<M>) => ResultOf<M>;
} {
  return {
    'ui.activity': ({ offset, limit, by, origin, ref, operations, outcome, text }) => {
      const wanted = world.activity.filter(
        (each) =>
          (by === undefined || (by === 'user') === (each.origin === null)) &&
          (origin === undefined || each.origin === origin) &&
          (ref === undefined || each.key?.ref === ref) &&
          (operations === undefined || operations.includes(each.operation)) &&
          (outcome === undefined || (outcome === 'ok') === (each.result === 'ok')) &&
          (text === undefined ||
            `${each.origin} ${each.key?.label}`.includes(text.words) ||
            text.operations.includes(each.operation)),
      );
      const origins = world.activity.map((each) => each.origin).filter((each) => each !== null);
      return {
        total: wanted.length,
        entries: wanted.slice(offset, offset + limit),
        origins: [...new Set(origins)],
        keys: [app, photos, deleted],
      };
    },
    'ui.activityUsage': ({ days }) =>
      world.usage.map((site) => ({ ...site, days: site.days.slice(-days) })),
    'ui.exportActivity': () => ({ entries: world.activity }),
    'ui.clearActivity': () => {
      world.activity = [];
      world.usage = [];
      return {};
    },
  };
}
