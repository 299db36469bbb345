import { useEffect, useState } from 'preact/hooks';
import { useEnvironment, type PasskeyAccess } from '../environment/environment.ts';

/** Which passkeys this page can use; undefined until the browser has answered. */
export function usePasskeys(): PasskeyAccess | undefined {
  const { passkeys } = useEnvironment();
  const [access, setAccess] = useState<PasskeyAccess>();
  useEffect(() => {
    let wanted = true;
    void passkeys().then((answer) => wanted && setAccess(answer));
    return () => {
      wanted = false;
    };
  }, [passkeys]);
  return access;
}
