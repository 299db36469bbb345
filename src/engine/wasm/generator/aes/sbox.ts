/**
 * The S-box of AES as a circuit of XOR and AND: the 113 gates that Boyar and Peralta published (NIST,
 * "Circuit for the AES S-box"), with XOR in place of their four XNOR. It computes S(x) ⊕ 0x63, the linear
 * part of FIPS 197, equation 5.1, of the inverse; 0x63 is added with the round keys.
 *
 * The gates work on any type with XOR and AND: on vectors in a kernel, on numbers in the test of all 256
 * inputs.
 */

export interface Logic<T> {
  readonly xor: (a: T, b: T) => T;
  readonly and: (a: T, b: T) => T;
}

/**
 * @param bits the input, bit 0 (the lowest) first
 * @returns the eight bits of S(x) ⊕ 0x63, bit 0 first
 */
export function substitute<T>({ xor, and }: Logic<T>, bits: readonly T[]): T[] {
  const [x7, x6, x5, x4, x3, x2, x1, x0] = bits as [T, T, T, T, T, T, T, T];
  // Into the tower field: the inputs of the inversion's products
  const y14 = xor(x3, x5);
  const y13 = xor(x0, x6);
  const y9 = xor(x0, x3);
  const y8 = xor(x0, x5);
  const t0 = xor(x1, x2);
  const y1 = xor(t0, x7);
  const y4 = xor(y1, x3);
  const y12 = xor(y13, y14);
  const y2 = xor(y1, x0);
  const y5 = xor(y1, x6);
  const y3 = xor(y5, y8);
  const t1 = xor(x4, y12);
  const y15 = xor(t1, x5);
  const y20 = xor(t1, x1);
  const y6 = xor(y15, x7);
  const y10 = xor(y15, t0);
  const y11 = xor(y20, y9);
  const y7 = xor(x7, y11);
  const y17 = xor(y10, y11);
  const y19 = xor(y10, y8);
  const y16 = xor(t0, y11);
  const y21 = xor(y13, y16);
  const y18 = xor(x0, y16);
  // The norm, in GF(2^4)
  const t2 = and(y12, y15);
  const t3 = and(y3, y6);
  const t4 = xor(t3, t2);
  const t5 = and(y4, x7);
  const t6 = xor(t5, t2);
  const t7 = and(y13, y16);
  const t8 = and(y5, y1);
  const t9 = xor(t8, t7);
  const t10 = and(y2, y7);
  const t11 = xor(t10, t7);
  const t12 = and(y9, y11);
  const t13 = and(y14, y17);
  const t14 = xor(t13, t12);
  const t15 = and(y8, y10);
  const t16 = xor(t15, t12);
  const t17 = xor(t4, y20);
  const t18 = xor(t6, t16);
  const t19 = xor(t9, t14);
  const t20 = xor(t11, t16);
  const t21 = xor(t17, t14);
  const t22 = xor(t18, y19);
  const t23 = xor(t19, y21);
  const t24 = xor(t20, y18);
  // Its inverse
  const t25 = xor(t21, t22);
  const t26 = and(t21, t23);
  const t27 = xor(t24, t26);
  const t28 = and(t25, t27);
  const t29 = xor(t28, t22);
  const t30 = xor(t23, t24);
  const t31 = xor(t22, t26);
  const t32 = and(t31, t30);
  const t33 = xor(t32, t24);
  const t34 = xor(t23, t33);
  const t35 = xor(t27, t33);
  const t36 = and(t24, t35);
  const t37 = xor(t36, t34);
  const t38 = xor(t27, t36);
  const t39 = and(t29, t38);
  const t40 = xor(t25, t39);
  // Back to GF(2^8): times the conjugate
  const t41 = xor(t40, t37);
  const t42 = xor(t29, t33);
  const t43 = xor(t29, t40);
  const t44 = xor(t33, t37);
  const t45 = xor(t42, t41);
  const z0 = and(t44, y15);
  const z1 = and(t37, y6);
  const z2 = and(t33, x7);
  const z3 = and(t43, y16);
  const z4 = and(t40, y1);
  const z5 = and(t29, y7);
  const z6 = and(t42, y11);
  const z7 = and(t45, y17);
  const z8 = and(t41, y10);
  const z9 = and(t44, y12);
  const z10 = and(t37, y3);
  const z11 = and(t33, y4);
  const z12 = and(t43, y13);
  const z13 = and(t40, y5);
  const z14 = and(t29, y2);
  const z15 = and(t42, y9);
  const z16 = and(t45, y14);
  const z17 = and(t41, y8);
  // Out of the tower field, with the matrix of the affine transformation
  const c1 = xor(z15, z16);
  const c2 = xor(z10, c1);
  const c3 = xor(z9, c2);
  const c4 = xor(z0, z2);
  const c5 = xor(z1, z0);
  const c6 = xor(z3, z4);
  const c7 = xor(z12, c4);
  const c8 = xor(z7, c6);
  const c9 = xor(z8, c7);
  const c10 = xor(c8, c9);
  const c11 = xor(c6, c5);
  const c12 = xor(z3, z5);
  const c13 = xor(z13, c1);
  const c14 = xor(c4, c12);
  const s3 = xor(c3, c11);
  const c16 = xor(z6, c8);
  const c17 = xor(z14, c10);
  const c18 = xor(c13, c14);
  const s7 = xor(z12, c18);
  const c20 = xor(z15, c16);
  const c21 = xor(c2, z11);
  const s0 = xor(c3, c16);
  const s6 = xor(c10, c18);
  const s4 = xor(c14, s3);
  const s1 = xor(s3, c16);
  const c26 = xor(c17, c20);
  const s2 = xor(c26, z17);
  const s5 = xor(c21, c17);
  return [s7, s6, s5, s4, s3, s2, s1, s0];
}

/**
 * The inverse of `substitute`, computed with it: with the S-box S = A ∘ inversion, the linear A^-1 before and
 * after S gives S^-1. A^-1 XORs bits i + 2, i + 5 and i + 7 (FIPS 197, section 5.3.2).
 */
export function substituteInverse<T>(logic: Logic<T>, bits: readonly T[]): T[] {
  return undoAffine(logic, substitute(logic, undoAffine(logic, bits)));
}

function undoAffine<T>({ xor }: Logic<T>, bits: readonly T[]): T[] {
  const bit = (i: number): T => bits[i & 7]!;
  // Each pair (i + 5, i + 7) once: bits i and i + 3 share none, so 16 gates.
  return bits.map((_, i) => xor(xor(bit(i + 5), bit(i + 7)), bit(i + 2)));
}
