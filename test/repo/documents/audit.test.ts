import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { build } from 'esbuild';
import {
  AUDIT_PAGE,
  auditPage,
  keeperFiles,
  LAYERS,
  layerOf,
  lineCount,
} from '../../../scripts/audit.ts';

/**
 * Lines of the keeper's files: what has to be read before its guarantees are believed. It may fall; a rise needs a reason.
 * The last ones: the second form of armor, the readings of texts that pages changed, the tables of kinds of key, what
 * decides whether a text may be shown opened in the editor of its field, what an error reports, a context for each item of
 * a batch, batches that are rewrapped, contacts and what opened the vault in the log, fields of sites that are off, who
 * sealed a message (attributes, the sender's tags, and whom of the contacts they prove: 700 lines), the right of an app's
 * new address to open what its old one has sealed (195), heads of collections (what a device keeps, and its calls: 275),
 * the limit of openings in an hour (505), decoys, with the grants that they freeze (465), what the hour refuses, in the log
 * and in `rewrapMany` (85), hours in which unusually much is opened (190), what a message with a passphrase may not have
 * (25), the root by which a site knows the person, where devices had their own (20), headers that the texts of a
 * search share (12), of devices (issue 43: up to 2,500 in all) the record of one in two lines of a vault, with the merge of
 * shared states (245), deletions that others have to hear of (80), roots in
 * backups and the schema of heads (105),
 * messages with a passphrase, which the user makes and opens (330: their recipient type and the service's part), prices of
 * private keys that are read or written (40), signatures that others can check, with their proofs (585), headers of age
 * files (80), AEADs whose new result is not compared with its arguments (10), recovery by friends (1,273: secret sharing,
 * files, requests and answers, and the parts of owner, friend and asker), devices that pair (885), by which the keeper
 * reaches the whole merge of devices (1,470 more), and their circle (1,110: members and epochs 830, what a vault does as a
 * member 250, with the calls), and groups, whose epochs the workshop checks and whose keys the keeper opens
 * (690: the format's part 370, the service's 320), and the user's own groups, whose epochs the vault keeps and the keeper
 * signs (690, 70 of them for members who become admins or stop being admins), and the exchange of devices over a medium (510), by which the keeper
 * reaches its items (1,080), `storage.sync` as a medium (65), and what the person sees of it and decides (140), what is told and
 * done of its members: who joined, who was not heard of, and the keys that removed devices have (390), recovery codes and
 * passkeys that open it (690: as members 220, what a browser without a vault finds and takes 310, the rest in the exchange, the
 * slots and the vault that is made with its contents), the exchange of devices by files (1,060: the file 230, which of them went
 * back 180, the exchange 550, what the person sees of it 100), the same openers for files, in a browser without a vault and by the
 * file that a device makes (200), epochs that part in openers alone and need no choice (140), the code of a request, which its device shows and another one
 * scans (45), ML-KEM with the SHA-3 below it, which were 158 kB of npm's (920), and the share of the thread that pages' bytes
 * have, with the price of signatures that they bring a key for (220), and the turns in which long messages have it (170)
 * and come to it (80).
 */
const MAX_KEEPER_LINES = 52_930;

/**
 * Bytes of the keeper's files that nothing in the keeper uses, because other scripts share the file. The build leaves them in the
 * keeper: constants of memory maps and short functions may stay, and what is longer has a file of its own.
 */
const MAX_UNUSED_BYTES = 6_300;

const AGAIN = `run \`npx tsx scripts/audit.ts\` and commit ${AUDIT_PAGE}`;

/** The page without the numbers of lines, which nearly every change of a file changes. */
function structureOf(page: string): string {
  return page.replace(/\b\d+ (?=lines\b)|\| \d+ (?=\|)|(?<=\.ts) \d+/g, '');
}

/** The bytes that each file of ours has in the background's script, with all that it declares or with what is used. */
async function bytesByFile(isShaken: boolean): Promise<Map<string, number>> {
  const { metafile } = await build({
    entryPoints: ['extension/entries/background.ts'],
    bundle: true,
    format: 'esm',
    outdir: 'dist', // where nothing is written
    write: false,
    metafile: true,
    treeShaking: isShaken,
    logLevel: 'error',
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return new Map(
    inputs
      .filter(([path]) => !path.startsWith('node_modules/'))
      .map(([path, { bytesInOutput }]) => [path, bytesInOutput]),
  );
}

describe('docs/audit.md', () => {
  const files = keeperFiles();

  it('lists the files of the keeper and what crosses its boundaries', () => {
    expect(structureOf(readFileSync(AUDIT_PAGE, 'utf8')), AGAIN).to.equal(
      structureOf(auditPage(files)),
    );
  });

  it('has an order in which a layer imports only those before it', () => {
    const placeOf = (path: string): number => LAYERS.indexOf(layerOf(path));
    const wrong = files.flatMap(({ path, runtimeImports }) =>
      runtimeImports
        .filter((target) => /\.ts$/.test(target) && placeOf(target) > placeOf(path))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('is compared without its numbers of lines alone', () => {
    expect(structureOf('30 lines\n| `a/` | 30 | b.ts 10, c.ts 20 |')).to.equal(
      'lines\n| `a/` | b.ts, c.ts |',
    );
  });

  it(`is about at most ${MAX_KEEPER_LINES} lines`, () => {
    const lines = files.reduce((sum, file) => sum + lineCount(file), 0);
    const message = `${lines} lines; if they must be more, say why where this number is raised, and ${AGAIN}`;
    expect(lines, message).to.be.at.most(MAX_KEEPER_LINES);
  });

  it(`is about code that the keeper uses, but for ${MAX_UNUSED_BYTES} bytes`, async () => {
    const [all, used] = await Promise.all([bytesByFile(false), bytesByFile(true)]);
    const unused = Array.from(all, ([path, bytes]) => ({
      path,
      bytes: bytes - (used.get(path) ?? 0),
    })).sort((a, b) => b.bytes - a.bytes);
    const sum = unused.reduce((bytes, file) => bytes + file.bytes, 0);
    const most = unused.slice(0, 5).map(({ path, bytes }) => `${path}: ${bytes}`);
    expect(sum, `move what only others use: ${most.join(', ')}`).to.be.at.most(MAX_UNUSED_BYTES);
  });
});
