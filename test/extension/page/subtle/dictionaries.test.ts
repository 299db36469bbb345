import { expect } from 'chai';
import { ALGORITHMS, type Member } from '../../../../extension/page/subtle/dictionaries.ts';
import { ALGORITHM_MEMBERS } from '../../../../src/rpc/methods/subtle-values.ts';
import { DEFINITIONS } from '../../../../src/subtle/algorithms/table.ts';
import type { Definition, Operation } from '../../../../src/subtle/algorithms/definition.ts';
import { SubtleKey } from '../../../../src/subtle/key.ts';
import { Members } from '../../../../src/subtle/webidl/members.ts';

/** One value of each type that some algorithm takes. */
const VALUES: Readonly<Record<Member['type'], unknown>> = {
  bytes: new Uint8Array(16),
  bigInteger: Uint8Array.of(1, 0, 1),
  octet: 8,
  short: 128,
  long: 8,
  text: 'ffdhe2048',
  key: new SubtleKey({ name: 'X25519' }, new Uint8Array(32), true, ['deriveBits'], 'private'),
  hash: 'SHA-256',
  hashName: 'SHA-256',
  byteStrings: [new Uint8Array(1)],
  counter: 1,
  natural: 23n,
  flag: true,
  refused: new Uint8Array(1),
};

/** The members that src/subtle asks for when all of these are there. */
function asked(definition: Definition, operation: Operation, given: readonly Member[]): string[] {
  const names = new Set<string>();
  const taken = given.filter(({ type }) => type !== 'refused');
  const values = Object.fromEntries(taken.map(({ name, type }) => [name, VALUES[type]]));
  const source = new Proxy(values, {
    get: (target, name: string) => (names.add(name), target[name]),
  });
  const members = new Members(definition.name, source, () => 'SHA-256');
  definition[operation]!(members);
  return [...names];
}

/** What reads no parameters, and the library's own streaming hashes. */
const NOT_OF_PAGES = ['name', 'exportKey', 'getPublicKey', 'createHash'];

describe('The dictionaries of the page', () => {
  it('have the algorithms of src/subtle, and each one’s operations', () => {
    const theirs = DEFINITIONS.map((definition) => {
      const operations = Object.keys(definition);
      return [definition.name, operations.filter((one) => !NOT_OF_PAGES.includes(one)).sort()];
    });
    const ours = Object.entries(ALGORITHMS).map(([name, one]) => [name, Object.keys(one).sort()]);
    expect(Object.fromEntries(ours)).to.deep.equal(Object.fromEntries(theirs));
  });

  for (const definition of DEFINITIONS) {
    it(`of ${definition.name} are what src/subtle reads`, () => {
      for (const [name, whole] of Object.entries(ALGORITHMS[definition.name]!)) {
        const operation = name as Operation;
        // The background asks for it before src/subtle is (src/workshop/subtle-arguments.ts).
        const members = whole.filter((member) => member.name !== 'hazardous');
        const seen = new Set(asked(definition, operation, members));
        for (const member of members) {
          const others = members.filter((other) => other !== member);
          const reading = () => asked(definition, operation, others);
          if (member.isRequired) expect(reading, `${name}: ${member.name}`).to.throw(TypeError);
          else for (const one of reading()) seen.add(one);
        }
        const names = members.map((member) => member.name);
        expect([...seen].sort(), name).to.deep.equal([...names].sort());
      }
    });
  }

  it('refuse what src/subtle refuses', () => {
    const refusing = DEFINITIONS.flatMap((definition) =>
      Object.entries(ALGORITHMS[definition.name]!).flatMap(([operation, members]) =>
        members
          .filter(({ type }) => type === 'refused')
          .map(({ name }) => ({ definition, operation: operation as Operation, name })),
      ),
    );
    expect([
      ...new Set(refusing.map(({ definition, name }) => `${definition.name} ${name}`)),
    ]).to.have.members(['AES-SIV iv', 'Argon2d salt', 'Argon2i salt', 'Argon2id salt']);
    for (const { definition, operation, name } of refusing) {
      const members = new Members(definition.name, { [name]: Uint8Array.of(1) }, () => 'SHA-256');
      expect(() => definition[operation]!(members)).to.throw(TypeError, `has no ${name}`);
    }
  });

  it('have no member that cannot travel', () => {
    const all = Object.values(ALGORITHMS).flatMap((one) => Object.values(one).flat());
    for (const { name } of all) expect(ALGORITHM_MEMBERS).to.include(name);
  });
});
