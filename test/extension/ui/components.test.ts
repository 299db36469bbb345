import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { SCENES } from './harness/scenes.ts';

/*
 * The page of components (harness/components.tsx) shows all that views are made of, in every state. What stands alone on a
 * view is drawn with it.
 */
const FOLDER = 'extension/ui/components';

/** Components that are a view or the form of one, with the scene that draws them. */
const OF_VIEWS: Readonly<Record<string, string>> = {
  'expired-window': 'fields-gone',
  'keys-in-use': 'keys',
  'forms/key-label': 'keys-renaming',
  'forms/passkey-unlock': 'unlock-passkey',
  'forms/unlock-form': 'unlock',
};

describe('the page of components', () => {
  const page = readFileSync('test/extension/ui/harness/components.tsx', 'utf8');
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => name.replace('.tsx', ''));

  it('has every component that is not drawn with its view', () => {
    expect(names).to.have.length.above(15);
    const missing = names.filter(
      (name) => !page.includes(`/${FOLDER}/${name}.tsx'`) && !Object.hasOwn(OF_VIEWS, name),
    );
    expect(missing).to.deep.equal([]);
  });

  it('leaves out only what a scene draws', () => {
    for (const [name, scene] of Object.entries(OF_VIEWS)) {
      expect(names).to.include(name);
      expect(SCENES, name).to.have.property(scene);
    }
  });

  it('has every variant of buttons and every tone of banners', () => {
    const values = (path: string, pattern: RegExp) =>
      [...pattern.exec(readFileSync(`${FOLDER}/${path}`, 'utf8'))![1]!.matchAll(/'?(\w+)'?/g)].map(
        ([, value]) => value!,
      );
    const variants = values('buttons/button.tsx', /variant\?: ([^;]+);/);
    const tones = values('banner.tsx', /const ICONS = \{([^}]+)\}/).filter((name) =>
      /^[a-z]/.test(name),
    );
    expect([variants.length, tones.length]).to.deep.equal([4, 4]);
    for (const name of [...variants, ...tones.filter((tone) => tone !== 'error')]) {
      expect(page).to.include(`'${name}'`);
    }
    expect(page).to.include('<ErrorBanner');
  });
});
