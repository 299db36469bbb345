import { expect } from 'chai';
import fc from 'fast-check';
import { toBase64url, utf8 } from '../../../src/crypto/bytes.ts';
import { EMPTY_STATE } from '../../../src/keys/devices/shared-state.ts';
import type { SharedState } from '../../../src/keys/devices/shared-state.ts';
import {
  encodeState,
  parseState,
  SharedStateError,
  STATE_DEVICES_MAX,
  STATE_MAX_BYTES,
} from '../../../src/keys/devices/state-text.ts';
import { canonicalText } from '../../../src/keys/values/json.ts';
import { Device } from './device.ts';
import { stateOfVault } from './random-states.ts';

const ORIGIN = 'https://a.example';

type Path = readonly (string | RegExp)[];

/** The value that a member leads to, by its name or the first name of a form. */
function memberAt(
  value: unknown,
  path: Path,
): { readonly holder: Record<string, unknown>; readonly name: string } {
  let holder = value as Record<string, unknown>;
  const nameOf = (step: string | RegExp): string =>
    typeof step === 'string' ? step : Object.keys(holder).find((name) => step.test(name))!;
  for (const step of path.slice(0, -1)) holder = holder[nameOf(step)] as Record<string, unknown>;
  return { holder, name: nameOf(path.at(-1)!) };
}

/** The state with another value in one place; undefined: without it. */
function changed(state: SharedState, path: Path, value: unknown): unknown {
  const copy = structuredClone(state);
  const { holder, name } = memberAt(copy, path);
  if (value === undefined) Reflect.deleteProperty(holder, name);
  else holder[name] = value;
  return copy;
}

const parsed = (value: unknown): SharedState => parseState(utf8(canonicalText(value)));
const refused = (bytes: Uint8Array, maxBytes?: number): void => {
  const error = (() => {
    try {
      return parseState(bytes, maxBytes);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).to.be.instanceOf(SharedStateError);
  expect((error as Error).message).to.equal('this is not a shared state, or it is damaged');
};

/** A state with a key in two generations, uses, and a contact; and one with a deletion. */
async function sharedState(): Promise<SharedState> {
  const device = new Device(1);
  const { ref } = await device.ring.createSealingKey('Letters');
  for (const used of ['app', ref]) await device.seal(used, ORIGIN);
  await device.vault.commit((draft) => device.ring.rotateIn(draft, ref, ORIGIN));
  const { ref: gone } = await device.ring.createSealingKey('Gone');
  await device.share();
  await device.delete(gone);
  return device.share();
}

const KEY = /^sealing-key [^ ]+$/;
const SITE = /^key-use /;

describe('The text of a shared state', function () {
  this.timeout(30_000);
  let state: SharedState;
  before(async () => {
    state = await sharedState();
  });

  /** The entries of keys: the first is alive. */
  const alive = (): string =>
    Object.keys(state.entries).find((name) => KEY.test(name) && 'facts' in state.entries[name]!)!;
  const deleted = (): string =>
    Object.keys(state.entries).find((name) => KEY.test(name) && 'deleted' in state.entries[name]!)!;

  it('is one text for one state, and gives it again', () => {
    expect(parseState(encodeState(state))).to.deep.equal(state);
    expect(parseState(encodeState(EMPTY_STATE))).to.deep.equal(EMPTY_STATE);
    const reversed = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([name, it]) => [name, reversed(it)]),
          );
    expect(encodeState(reversed(state) as SharedState)).to.deep.equal(encodeState(state));
  });

  it('is wiped once it is read, also where it is refused', () => {
    for (const bytes of [encodeState(state), utf8('{"seen":{}}')]) {
      try {
        parseState(bytes);
      } catch {
        // refused
      }
      expect(bytes.every((byte) => byte === 0)).to.equal(true);
    }
  });

  it('is refused without any work where it is too long', () => {
    const bytes = encodeState(state);
    refused(bytes, bytes.length - 1);
    expect(bytes.some((byte) => byte !== 0)).to.equal(true);
    expect(parseState(bytes, bytes.length)).to.deep.equal(state);
    refused(new Uint8Array(STATE_MAX_BYTES + 1).fill(0x20));
  });

  it('is refused where it is another text of the same state, or none', () => {
    const text = canonicalText(state);
    for (const other of [
      '',
      'null',
      '[]',
      '{}',
      `\uFEFF${text}`,
      ` ${text}`,
      text.replace('"seen":{', '"seen":{ '),
      `{"seen":{},${text.slice(1)}`,
      text.replace(/"created":(\d+)/, '"created":$1.0'),
      text.slice(0, -1),
    ]) {
      refused(utf8(other));
    }
    refused(Uint8Array.of(0x22, 0xff, 0x22));
    const depth = 200_000;
    refused(utf8('['.repeat(depth) + ']'.repeat(depth)));
    refused(utf8(`{"entries":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)},"seen":{}}`));
  });

  it('is refused where a member is missing, of another form, or one too many', () => {
    const at = (...path: Path): Path => ['entries', alive(), ...path];
    const many = Object.fromEntries(
      Array.from({ length: STATE_DEVICES_MAX + 1 }, (_, device) => {
        return [toBase64url(new Uint8Array(16).fill(device % 256).with(0, device >> 8)), 1];
      }),
    );
    const device = Object.keys(state.seen)[0]!;
    const cases: readonly (readonly [Path, unknown])[] = [
      [['seen'], undefined],
      [['seen', device], 0],
      [['seen'], { ...many, ...state.seen }],
      [['seen', '__proto__ '], 1],
      [['entries'], []],
      [['entries', 'grant a'], state.entries[alive()]],
      [['entries', 'constructor'], state.entries[alive()]],
      [at('incarnation'), 0],
      [at('incarnation'), 1.5],
      [at('more'), 1],
      [at('facts'), {}],
      [at('facts', 'secret'), 'x'],
      [at('facts', /^generation 1 /), undefined],
      [at('facts', /^generation 1 /, 'key'), toBase64url(new Uint8Array(32))],
      [at('facts', /^generation 1 /, 'kept'), false],
      [at('facts', /^use /), toBase64url(new Uint8Array(31))],
      [at('facts', /^use /), undefined],
      [at('facts', /^id /, 'digest'), 'no such generation'],
      [at('facts', /^id /, 'generation'), 2],
      [at('registers', 'label'), undefined],
      [at('registers', 'label'), []],
      [at('registers', 'label', '0', 'value'), 7],
      [at('registers', 'label', '0', 'value'), ''],
      [at('registers', 'label', '0', 'by'), 'someone'],
      [at('registers', 'label', '0', 'version'), {}],
      [at('registers', 'standing', '0', 'value'), { created: 1, guest: 'no' }],
      [at('registers', 'standing', '0', 'value'), null],
      [at('registers', 'mark input name x'), [{ by: device, version: state.seen, value: true }]],
      [['entries', deleted(), 'facts'], {}],
      [['entries', SITE, 'facts', /^derivation /], 'yes'],
      [['entries', SITE, 'facts', /^derivation /], undefined],
      [['entries', SITE, 'facts', /^id /, 'root'], toBase64url(new Uint8Array(16))],
      [['entries', 'key-root'], undefined],
      [['entries', 'key-root', 'facts', /^root /, 'appRoot'], toBase64url(new Uint8Array(32))],
      [['entries', `signing-key ${alive().split(' ')[1]!}`], state.entries[alive()]],
      [['entries', SITE], { incarnation: 1, deleted: { seen: {}, at: 1 } }],
    ];
    expect(parsed(structuredClone(state))).to.deep.equal(state);
    for (const [path, value] of cases) {
      const bytes = utf8(canonicalText(changed(state, path, value)));
      expect(() => parseState(bytes), JSON.stringify([path.map(String), value])).to.throw(
        SharedStateError,
      );
    }
  });

  it('is refused where a version of a register that is not shown is malformed', () => {
    const path = ['entries', alive(), 'registers', 'label'];
    const [version] = (
      state.entries[alive()] as unknown as { registers: Record<string, { by: string }[]> }
    ).registers['label']!;
    const two = [version!, { ...version!, value: 'Briefe' }];
    const sorted = (all: readonly unknown[]) =>
      all.toSorted((a, b) => (canonicalText(a) < canonicalText(b) ? -1 : 1));
    expect(parsed(changed(state, path, sorted(two)))).to.have.property('seen');
    refused(utf8(canonicalText(changed(state, path, sorted(two).toReversed()))));
    for (const value of [3, '', null, 'x'.repeat(5000)]) {
      const other = sorted([version!, { ...version!, value }]);
      refused(utf8(canonicalText(changed(state, path, other))));
    }
  });

  it('is refused or is another usable state, wherever one character changes', () => {
    const places = fc.tuple(
      stateOfVault,
      fc.nat(),
      fc.constantFrom(...Array.from('A0"{}[]:,x1 -_')),
    );
    const property = fc.property(places, ([any, place, character]) => {
      const text = canonicalText(any);
      const at = place % text.length;
      const bytes = utf8(text.slice(0, at) + character + text.slice(at + 1));
      const before = bytes.slice();
      let result: SharedState | undefined;
      try {
        result = parseState(bytes);
      } catch (error) {
        expect(error).to.be.instanceOf(SharedStateError);
      }
      if (result) expect(encodeState(result)).to.deep.equal(before);
    });
    fc.assert(property, { numRuns: 150 });
  });
});
