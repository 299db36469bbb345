import { expect } from 'chai';
import type { Engine } from '../../src/engine/contract.ts';
import { jsEngine } from '../../src/engine/js/js.ts';
import { nativeEngine } from '../../src/engine/native/native.ts';
import { Registry } from '../../src/engine/registry.ts';
import type { WireAlgorithm } from '../../src/rpc/methods/subtle-values.ts';
import type { Usage } from '../../src/subtle/key.ts';
import type { StoredKey } from '../../src/subtle/stored-key.ts';
import { subtleOperations } from '../../src/workshop/subtle.ts';

/** What engines got of a secret. */
interface Seen {
  /** Arrays that held it when they came. */
  readonly secrets: Uint8Array[];
  /** What engines made of it, and did not overwrite yet. */
  readonly setUps: Set<object>;
}

type AnyFunction = (...args: never[]) => unknown;

/** An engine that notes each array with a secret, at any depth of its algorithms. */
function watched(engine: Engine, isSecret: (value: unknown) => boolean, seen: Seen): Engine {
  const watchedObject = <T extends object>(object: T): T =>
    new Proxy(object, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member === 'object' && member !== null) return watchedObject(member);
        if (typeof member !== 'function') return member;
        return (...args: never[]) => {
          const secrets = args.filter(isSecret);
          seen.secrets.push(...secrets);
          if (name === 'wipe') seen.setUps.delete(target);
          const result = (member as AnyFunction).apply(target, args);
          if (name !== 'withKey' || secrets.length === 0) return result;
          const kept = (keyed: object): object => {
            seen.setUps.add(keyed);
            return watchedObject(keyed);
          };
          return result instanceof Promise ? result.then(kept) : kept(result as object);
        };
      },
    });
  return {
    ...engine,
    probe: async () => {
      const probe = await engine.probe();
      return probe.available ? { ...probe, algorithms: watchedObject(probe.algorithms) } : probe;
    },
  };
}

const HANDLE = 'the key';
const DATA = new Uint8Array(32).fill(1);
const MADE = { extractable: true };

/** A key, and the call that it is used in. */
interface Case {
  readonly algorithm: WireAlgorithm;
  readonly usages: Usage[];
  readonly key: WireAlgorithm;
  readonly method: 'decrypt' | 'deriveBits' | 'encrypt' | 'sign';
}

const CASES: readonly Case[] = [
  {
    key: { name: 'AES-OCB', length: 256 },
    method: 'encrypt',
    usages: ['encrypt'],
    algorithm: { name: 'AES-OCB', iv: new Uint8Array(12) },
  },
  {
    key: { name: 'AES-GCM', length: 256 },
    method: 'decrypt',
    usages: ['decrypt'],
    algorithm: { name: 'AES-GCM', iv: new Uint8Array(12) },
  },
  {
    key: { name: 'HMAC', hash: 'SHA3-256', length: 512 },
    method: 'sign',
    usages: ['sign'],
    algorithm: { name: 'HMAC' },
  },
  {
    key: { name: 'KMAC256', length: 256 },
    method: 'sign',
    usages: ['sign'],
    algorithm: { name: 'KMAC256', outputLength: 256 },
  },
  {
    key: { name: 'ML-DSA-44' },
    method: 'sign',
    usages: ['sign'],
    algorithm: { name: 'ML-DSA-44' },
  },
  { key: { name: 'Ed448' }, method: 'sign', usages: ['sign'], algorithm: { name: 'Ed448' } },
];

describe('A call of subtle in the workshop', () => {
  for (const { algorithm, usages, key, method } of CASES) {
    it(`leaves no byte of a key of ${key.name}, nor what an engine made of it`, async () => {
      let known: readonly string[] = [];
      const isSecret = (value: unknown): boolean =>
        value instanceof Uint8Array && known.includes(Buffer.from(value).toString('base64url'));
      const seen: Seen = { secrets: [], setUps: new Set() };
      const engines = [jsEngine(), nativeEngine()].map((one) => watched(one, isSecret, seen));
      const operations = subtleOperations(new Registry(engines));
      const report = (): void => undefined;
      const made = await operations['subtle.generateKey'](
        {
          secrets: { keys: [], seed: new Uint8Array(32).fill(2) },
          params: { algorithm: key, usages, ...MADE },
        },
        report,
      );
      const secret = (made as StoredKey[]).find(({ type }) => type !== 'public')!;
      expect(secret.format).to.equal('bytes');
      known = [secret.content];
      const call = operations[`subtle.${method}`](
        {
          secrets: { keys: [{ handle: HANDLE, key: secret }], seed: new Uint8Array(32).fill(3) },
          params: { algorithm, key: HANDLE, baseKey: HANDLE, length: 256, data: DATA },
        },
        report,
      );
      // An authentication that fails ends a call as well.
      const outcome = await call.then(
        () => 'done',
        (error: unknown) => (error as Error).name,
      );
      expect(outcome).to.equal(method === 'decrypt' ? 'OperationError' : 'done');
      expect(seen.secrets, 'the engine was given the key').to.not.be.empty;
      for (const bytes of seen.secrets) expect(bytes).to.deep.equal(new Uint8Array(bytes.length));
      expect([...seen.setUps]).to.be.empty;
    });
  }
});
