import {
  FlagField,
  IdField,
  IntegerField,
  OneOfField,
  TextField,
  ObjectField,
  ObjectsField,
} from '@platform/validation';
import { DELAY_UNITS, type DelayUnit } from '../schemas/campaign-sequence.record';
import { BodyField, SubjectField } from './campaign-fields.decorator';

export const MAX_STEPS = 20;
const MAX_VARIANTS = 26;
const SUBJECT = 'Placeholders such as {{firstName}} are allowed. A follow-up without one continues the thread.';
const BODY = 'HTML, at most 200 kB. Placeholders such as {{firstName}} are allowed.';

export class StepDelayRequest {
  @IntegerField({ min: 0, max: 8_760, about: 'At most 365 days or 8760 hours.' })
  value!: number;

  @OneOfField(DELAY_UNITS, { optional: true, about: 'Default: days.' })
  unit?: DelayUnit;

  @FlagField({ optional: true, about: 'Whether only days on which the campaign sends count. Default: false.' })
  workingDaysOnly?: boolean;
}

export class StepVariantRequest {
  @IdField({ optional: true, about: 'Of the variant as it was published; without one it is a new one.' })
  _id?: string;

  @TextField({ max: 50, optional: true, about: 'Default: A, B, C by its place.' })
  name?: string;

  @SubjectField({ optional: true, about: SUBJECT })
  subject?: string;

  @BodyField({ about: BODY })
  body!: string;

  @IntegerField({ min: 0, max: 100, optional: true, about: 'Its share of the leads; 0: none. Default: 1.' })
  weight?: number;
}

/** Either `subject` and `body`, or `variants`. */
export class StepRequest {
  @IdField({
    optional: true,
    about: 'The id of the published step, at which its leads continue. Without one it is a new step.',
  })
  _id?: string;

  @OneOfField(['email'], { optional: true, about: 'Default: email.' })
  type?: 'email';

  @TextField({ min: 0, max: 200, optional: true, about: 'For its readers. Default: Step 1, Step 2, …' })
  name?: string;

  @IntegerField({
    min: 0,
    max: MAX_STEPS - 1,
    optional: true,
    about: 'When it is given: its place in the list, from 0.',
  })
  order?: number;

  @ObjectField(() => StepDelayRequest, {
    optional: true,
    about: 'Counted from when the step before was sent. Default: 3 days; the first step has none.',
  })
  delay?: StepDelayRequest;

  @SubjectField({ optional: true, about: SUBJECT })
  subject?: string;

  @BodyField({ optional: true, about: BODY })
  body?: string;

  @ObjectsField(() => StepVariantRequest, {
    min: 1,
    max: MAX_VARIANTS,
    optional: true,
    about: 'Several wordings; each lead gets one of them.',
  })
  variants?: StepVariantRequest[];
}

export class PublishSequenceRequest {
  @ObjectsField(() => StepRequest, { min: 1, max: MAX_STEPS, about: 'All steps, in order.' })
  sequence!: StepRequest[];

  @IntegerField({
    min: 0,
    max: 1_000_000,
    optional: true,
    about: 'The version that was edited (0: none yet). When another one was published meanwhile: CONFLICT.',
  })
  basedOn?: number;
}
