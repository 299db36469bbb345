/** Whether the install script of each package that has one is run. */
export const INSTALL_SCRIPTS: Readonly<Record<string, boolean>>;
