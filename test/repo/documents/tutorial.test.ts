import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

/* docs/tutorial-notes.md shows lines of examples/notes: a change of the app changes the tutorial. */

const tutorial = readFileSync('docs/tutorial-notes.md', 'utf8');
const EXAMPLE = 'examples/notes';

/** Without comments at their end, which the tutorial adds. */
const codeLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+\/\/ .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('//'));

const files = readdirSync(EXAMPLE)
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ name, lines: codeLines(readFileSync(`${EXAMPLE}/${name}`, 'utf8')) }));

const blocks = [...tutorial.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) =>
  codeLines(code!),
);

describe('the tutorial of the notes', () => {
  it('has code of each part', () => {
    expect(blocks.length).to.be.at.least(5);
    expect(blocks.every((lines) => lines.length > 0)).to.equal(true);
  });

  for (const lines of blocks) {
    it(`shows the app's own lines, in its order: ${lines[0]!}`, () => {
      const last = new Map<string, number>();
      for (const line of lines) {
        const found = files.find((file) =>
          file.lines.includes(line, (last.get(file.name) ?? -1) + 1),
        );
        expect(found?.name, line).to.not.equal(undefined);
        last.set(found!.name, found!.lines.indexOf(line, (last.get(found!.name) ?? -1) + 1));
      }
    });
  }

  it('names files and commands that there are', () => {
    const named = [...tutorial.matchAll(/`([a-z-]+\.js)`/g)].map(([, name]) => name!);
    expect(named).to.include.members(['app.js', 'connection.js', 'merge.js', 'sync.js']);
    for (const name of named) expect(readdirSync(EXAMPLE)).to.include(name);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly scripts: Record<string, string>;
    };
    const commands = [...tutorial.matchAll(/^npm run (\S+)/gm)].map(([, name]) => name!);
    expect(commands).to.not.deep.equal([]);
    for (const name of commands) expect(scripts).to.have.property(name);
    const run = [...tutorial.matchAll(/^node (\S+)/gm)].map(([, path]) => path!);
    for (const path of run) expect(readFileSync(path, 'utf8')).to.not.equal('');
    expect(run).to.deep.equal([`${EXAMPLE}/serve.mjs`]);
  });
});
