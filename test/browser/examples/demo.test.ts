import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { BROWSERS } from '../drivers/launch.ts';

/* What `npm start` shows a newcomer, after its build. */
for (const browser of BROWSERS) {
  describe(`the demo of npm start in ${browser}`, () => {
    it('seals and opens a picture, a large file and a text', function () {
      this.timeout(180_000);
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['node_modules/tsx/dist/cli.mjs', 'scripts/drive-demo.ts', '--browser', browser],
        { encoding: 'utf8' },
      );
      expect(stdout.match(/Compared: equal to the byte/g), stdout + stderr).to.have.length(2);
      expect(stdout).to.match(/✔ Text: sealed to one line and opened again/);
      expect(status, stderr).to.equal(0);
    });
  });
}
