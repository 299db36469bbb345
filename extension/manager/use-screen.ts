import { useEffect, useState } from 'preact/hooks';
import { screenOf, type ManagerScreen } from './manager-screens.ts';

/** The screen in the address, so that reloading, Back and links from the popup work as in any page. */
export function useScreen(): ManagerScreen {
  const [screen, setScreen] = useState(() => screenOf(location.hash));
  useEffect(() => {
    const follow = () => setScreen(screenOf(location.hash));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return screen;
}
