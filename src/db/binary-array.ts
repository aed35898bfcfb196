// Arrays in PostgreSQL's binary format. The header holds the dimensions, a flag for NULLs, the element type, the number of
// elements and the lower bound. Each element starts with its length, which is -1 for NULL.
const HEAD = 20;
const LENGTH = 4;

type Nullable<T> = readonly (T | null | undefined)[];

/** A fixed-length type with its OID. */
interface FixedType<T> {
  oid: number;
  bytes: number;
  write(into: Buffer, value: T, at: number): void;
}

export const intArray = fixed<number>({
  oid: 23,
  bytes: 4,
  write: (into, value, at) => into.writeInt32BE(value, at),
});
export const float8Array = fixed<number>({
  oid: 701,
  bytes: 8,
  write: (into, value, at) => into.writeDoubleBE(value, at),
});
export const booleanArray = fixed<boolean>({
  oid: 16,
  bytes: 1,
  write: (into, value, at) => into.writeUInt8(Number(value), at),
});

export function textArray(values: Nullable<string>): Buffer {
  let [bytes, nulls] = [0, 0];
  for (const value of values) {
    if (value == null) nulls++;
    // UTF-8 cannot encode a lone surrogate: a replacement character would be stored instead.
    else if (!value.isWellFormed()) throw new TypeError('a text with a lone surrogate cannot be stored');
    else bytes += Buffer.byteLength(value);
  }
  const array = begun(25, values.length, nulls, bytes);
  let at = HEAD;
  for (const value of values) {
    const length = value == null ? -1 : array.write(value, at + LENGTH);
    array.writeInt32BE(length, at);
    at += LENGTH + Math.max(length, 0);
  }
  return array;
}

function fixed<T>({ oid, bytes, write }: FixedType<T>) {
  return (values: Nullable<T>): Buffer => {
    let nulls = 0;
    for (const value of values) if (value == null) nulls++;
    const array = begun(oid, values.length, nulls, (values.length - nulls) * bytes);
    let at = HEAD;
    for (const value of values) {
      array.writeInt32BE(value == null ? -1 : bytes, at);
      at += LENGTH;
      if (value == null) continue;
      write(array, value, at);
      at += bytes;
    }
    return array;
  };
}

function begun(oid: number, length: number, nulls: number, bytes: number): Buffer {
  const array = Buffer.allocUnsafe(HEAD + LENGTH * length + bytes);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(nulls > 0 ? 1 : 0, 4);
  array.writeInt32BE(oid, 8);
  array.writeInt32BE(length, 12);
  array.writeInt32BE(1, 16);
  return array;
}
