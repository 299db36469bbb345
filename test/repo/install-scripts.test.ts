import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { INSTALL_SCRIPTS } from '../../scripts/setup.mjs';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}

describe('the setup', () => {
  it('decides on the install script of every package that has one', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
    const withScript = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1)!);
    expect([...new Set(withScript)].sort()).to.deep.equal(Object.keys(INSTALL_SCRIPTS).sort());
  });

  it('installs packages without running their scripts', () => {
    const setup = readFileSync('scripts/setup.mjs', 'utf8');
    expect(setup).to.match(/\['ci', '--ignore-scripts'/);
    expect(setup.match(/run\('npm'/g), 'ci and rebuild').to.have.length(2);
  });
});
