/** Whether the install script of each package that has one is run. */
export const INSTALL_SCRIPTS: Readonly<Record<string, boolean>>;
/** npm workspaces, by folder: their packages are installed by the commands that need them. */
export const WORKSPACES: readonly string[];
/** Those that tests need which do not wait for the night. */
export const TESTED_WORKSPACES: readonly string[];
/** The workspaces whose packages are installed, or undefined where not even those of the root are. */
export function installedWorkspaces(): readonly string[] | undefined;
/** Installs what a command needs, unless it is here. */
export function setUp(needs?: {
  readonly tests?: boolean;
  readonly browsers?: readonly string[];
  readonly nightly?: boolean;
  readonly workspaces?: readonly string[];
}): Promise<void>;
