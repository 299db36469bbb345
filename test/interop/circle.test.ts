/* Two independent implementations of docs/design/devices.md: Python reads the epochs and items that TypeScript made. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PYTHON_PROGRAMS } from '../servers/server.ts';

const PYTHON = `${PYTHON_PROGRAMS}/python`;
const VECTORS = 'test/keys/vectors/circle.json';

interface Vectors {
  readonly pairs: readonly { readonly id: string }[];
  readonly epochs: readonly {
    readonly digest: string;
    readonly syncKey: string;
    readonly members: readonly { readonly id: string }[];
  }[];
  readonly file: { readonly name: string; readonly before: string; readonly read: unknown };
  readonly state: unknown;
}

describe('the second reader of circles, in Python', function () {
  this.timeout(60_000);

  it('opens every epoch and item of the vectors, and finds the same', function () {
    if (!existsSync(PYTHON)) {
      if (process.env['CI']) throw new Error(`${PYTHON} is missing`);
      this.skip();
    }
    const text = readFileSync(VECTORS, 'utf8');
    const { pairs, epochs, file, state } = JSON.parse(text) as Vectors;
    const script = fileURLToPath(new URL('circle_reader.py', import.meta.url));
    const { stdout, stderr } = spawnSync(PYTHON, [script], { input: text, encoding: 'utf8' });
    expect(stderr).to.equal('');
    expect(JSON.parse(stdout)).to.deep.equal({
      pairs: pairs.slice(1), // a device's are drawn
      syncKeys: epochs.map(({ syncKey }) => syncKey),
      digests: epochs.map(({ digest }) => digest),
      links: epochs.map(({ digest }) => digest).sort(),
      members: epochs[1]!.members.map(({ id }) => id),
      state,
      file: {
        name: file.name,
        head: [pairs[0]!.id, 'EBESExQVFhcYGRobHB0eHw', 7, file.before, file.read],
        state,
      },
    });
  });
});
