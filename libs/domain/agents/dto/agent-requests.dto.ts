import { REPLY_LABELS, type ReplyLabel } from '@domain/inbox';
import {
  FlagField,
  IntegerField,
  NameField,
  ObjectField,
  OneOfField,
  OneOfListField,
  SearchPageQuery,
  TextField,
  TimeOfDayField,
  TimeZoneField,
  WorkingDaysField,
} from '@platform/validation';
import { type Approval, APPROVALS } from '../schemas/agent.record';
import { StopWordsField } from './agent-fields.decorator';

const MAX_LINE = 200;
const MAX_STYLE = 1_000;
const MAX_TEXT = 4_000;
const MAX_URL = 2_048;
const MOST_MINUTES = 10_080;
const MOST_A_DAY = 500;
const MOST_FOLLOWUPS = 10;
const MOST_DAYS = 90;

/** Labels that may be answered: not automatic mail, and no unsubscribe request. */
const UNANSWERED: ReadonlySet<ReplyLabel> = new Set(['unsubscribe_request', 'out_of_office']);
const ANSWERABLE = REPLY_LABELS.filter((label) => !UNANSWERED.has(label));

class CompanyInfoRequest {
  @TextField({ min: 0, max: MAX_LINE, optional: true, nullable: true })
  name?: string | null;

  @TextField({ min: 0, max: MAX_TEXT, optional: true, nullable: true, about: 'What it does, for whom.' })
  description?: string | null;

  @TextField({
    min: 0,
    max: MAX_URL,
    optional: true,
    nullable: true,
    about: 'Its website: given on creation, the agent learns from its pages. An address is cut down to its host.',
    example: 'example.com',
  })
  domain?: string | null;
}

class PersonaRequest {
  @TextField({ min: 0, max: MAX_LINE, optional: true, nullable: true, example: 'friendly' })
  tone?: string | null;

  @TextField({ min: 0, max: MAX_LINE, optional: true, nullable: true, example: 'Account executive' })
  role?: string | null;

  @TextField({ min: 0, max: MAX_STYLE, optional: true, nullable: true, example: 'short, no jargon' })
  communicationStyle?: string | null;

  @TextField({
    min: 0,
    max: MAX_TEXT,
    optional: true,
    nullable: true,
    about: 'What else it has to know and to mind: booking links and other scheduling context go here.',
  })
  customInstructions?: string | null;
}

class WorkingHoursRequest {
  @TimeZoneField()
  timezone!: string;

  @TimeOfDayField()
  startTime!: string;

  @TimeOfDayField({ about: 'Before startTime: on the next day. 23:59 is the end of the day.' })
  endTime!: string;

  @WorkingDaysField()
  workingDays!: number[];
}

class AutonomousModeRequest {
  @FlagField({ optional: true, nullable: true, about: 'Whether it writes replies by itself. Default: false.' })
  enabled?: boolean | null;

  @OneOfListField(ANSWERABLE, {
    optional: true,
    nullable: true,
    about: 'Answers with these labels are replied to. Default: positive. Nobody replies to an opt-out or an absence.',
  })
  labels?: ReplyLabel[] | null;

  @IntegerField({
    min: 0,
    max: MOST_MINUTES,
    optional: true,
    nullable: true,
    about: 'Minutes from the answer to the reply, at least. Default: 10.',
  })
  delayMinutes?: number | null;

  @IntegerField({
    min: 1,
    max: MOST_A_DAY,
    optional: true,
    nullable: true,
    about: 'Replies and follow-ups a day, at most. Default: 20.',
  })
  dailyLimit?: number | null;

  @OneOfField(APPROVALS, {
    optional: true,
    nullable: true,
    about: 'required: each waits until a person has approved it; auto: it goes out without. Default: required.',
  })
  approval?: Approval | null;

  @ObjectField(() => WorkingHoursRequest, {
    optional: true,
    nullable: true,
    about: 'When it may reply. Default: null, at any time.',
  })
  workingHours?: WorkingHoursRequest | null;

  @StopWordsField({
    optional: true,
    nullable: true,
    about: 'Answers that hold one of these are left to people; case does not count. Default: none.',
  })
  stopWords?: string[] | null;
}

class FollowupSettingsRequest {
  @FlagField({
    optional: true,
    nullable: true,
    about: 'Whether it writes again when nobody answers its reply. Default: false.',
  })
  enabled?: boolean | null;

  @IntegerField({ min: 1, max: MOST_FOLLOWUPS, optional: true, nullable: true, about: 'At most. Default: 2.' })
  maxFollowups?: number | null;

  @IntegerField({
    min: 1,
    max: MOST_DAYS,
    optional: true,
    nullable: true,
    about: 'Days from the reply, or the follow-up before. Default: 3.',
  })
  delayDays?: number | null;
}

/** Omitted fields stay unchanged, or get the default in a new agent; null restores the default. */
export class AgentSettingsRequest {
  @ObjectField(() => CompanyInfoRequest, { optional: true, nullable: true })
  companyInfo?: CompanyInfoRequest | null;

  @TextField({
    max: MAX_URL,
    optional: true,
    nullable: true,
    about: 'Website, by its address or domain: given on creation, the agent learns from its pages.',
    example: 'https://example.com/',
  })
  companyUrl?: string | null;

  @ObjectField(() => PersonaRequest, { optional: true, nullable: true })
  persona?: PersonaRequest | null;

  @ObjectField(() => AutonomousModeRequest, { optional: true, nullable: true })
  autonomousMode?: AutonomousModeRequest | null;

  @ObjectField(() => FollowupSettingsRequest, { optional: true, nullable: true })
  followupSettings?: FollowupSettingsRequest | null;
}

export class CreateAgentRequest extends AgentSettingsRequest {
  @NameField()
  name!: string;

  @FlagField({
    optional: true,
    about: 'Whether it becomes the default of the workspace. The first agent does in any case.',
  })
  isDefault?: boolean;
}

export class UpdateAgentRequest extends AgentSettingsRequest {
  @NameField({ optional: true })
  name?: string;

  @FlagField({
    optional: true,
    about: 'true makes it the default; false is refused for the default: make another one it.',
  })
  isDefault?: boolean;

  @FlagField({ optional: true, about: 'An inactive agent drafts nothing and replies to nobody.' })
  isActive?: boolean;
}

export class AgentQuery extends SearchPageQuery {}
