import { type Types } from 'mongoose';

/** A class that `@Collection` declares. */
export type RecordClass<R = unknown> = abstract new (...args: never[]) => R;

/** Values without fields of their own. */
type Plain = string | number | boolean | null | undefined | Date | Buffer | Types.ObjectId;

/** How many levels of embedded values are followed: with the number of levels, the number below. */
interface LevelsBelow {
  4: 3;
  3: 2;
  2: 1;
  1: 0;
  0: 0;
}

/** The dotted paths of a record's fields: also of embedded documents, and in lists. Within a value of unknown type, any path. */
export type FieldPath<R, Levels extends keyof LevelsBelow = 4> = Levels extends 0
  ? never
  : unknown extends R
    ? string
    : R extends Plain
      ? never
      : R extends readonly (infer Element)[]
        ? FieldPath<Element, Levels>
        : { [Name in keyof R & string]-?: Name | `${Name}.${FieldPath<R[Name], LevelsBelow[Levels]>}` }[keyof R &
            string];
