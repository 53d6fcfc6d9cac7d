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

  @TextField({ min: 0, max: MAX_TEXT, optional: true, nullable: true, about: 'What the company does, and for whom.' })
  description?: string | null;

  @TextField({
    min: 0,
    max: MAX_URL,
    optional: true,
    nullable: true,
    about: 'Website of the company: set on creation, it starts the training. Only the host of an address is kept.',
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
    about: 'Further instructions, such as booking links and other scheduling context.',
  })
  customInstructions?: string | null;
}

class WorkingHoursRequest {
  @TimeZoneField()
  timezone!: string;

  @TimeOfDayField()
  startTime!: string;

  @TimeOfDayField({ about: 'A time before startTime is on the next day. 23:59 is the end of the day.' })
  endTime!: string;

  @WorkingDaysField()
  workingDays!: number[];
}

class AutonomousModeRequest {
  @FlagField({
    optional: true,
    nullable: true,
    about: 'Whether the agent sends replies without approval. Default: false.',
  })
  enabled?: boolean | null;

  @OneOfListField(ANSWERABLE, {
    optional: true,
    nullable: true,
    about: 'Labels of the messages to answer. Default: positive. Opt-outs and absences are never answered.',
  })
  labels?: ReplyLabel[] | null;

  @IntegerField({
    min: 0,
    max: MOST_MINUTES,
    optional: true,
    nullable: true,
    about: 'Minimum minutes between a message and its reply. Default: 10.',
  })
  delayMinutes?: number | null;

  @IntegerField({
    min: 1,
    max: MOST_A_DAY,
    optional: true,
    nullable: true,
    about: 'Maximum number of replies and follow-ups per day. Default: 20.',
  })
  dailyLimit?: number | null;

  @OneOfField(APPROVALS, {
    optional: true,
    nullable: true,
    about: 'required: each reply waits for approval by a person; auto: sent without approval. Default: required.',
  })
  approval?: Approval | null;

  @ObjectField(() => WorkingHoursRequest, {
    optional: true,
    nullable: true,
    about: 'Working hours of the agent. Default: null, at any time.',
  })
  workingHours?: WorkingHoursRequest | null;

  @StopWordsField({
    optional: true,
    nullable: true,
    about: 'Messages with one of these are left to people; case-insensitive. Default: none.',
  })
  stopWords?: string[] | null;
}

class FollowupSettingsRequest {
  @FlagField({
    optional: true,
    nullable: true,
    about: 'Whether the agent follows up on unanswered replies. Default: false.',
  })
  enabled?: boolean | null;

  @IntegerField({ min: 1, max: MOST_FOLLOWUPS, optional: true, nullable: true, about: 'At most. Default: 2.' })
  maxFollowups?: number | null;

  @IntegerField({
    min: 1,
    max: MOST_DAYS,
    optional: true,
    nullable: true,
    about: 'Days after the reply or the previous follow-up. Default: 3.',
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
    about: 'Training website, as an address or domain: set on creation, it starts the training.',
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
    about: 'Whether the agent becomes the default of the workspace. The first agent does in any case.',
  })
  isDefault?: boolean;
}

export class UpdateAgentRequest extends AgentSettingsRequest {
  @NameField({ optional: true })
  name?: string;

  @FlagField({
    optional: true,
    about:
      'true makes the agent the default; false is refused for the default: make another agent the default instead.',
  })
  isDefault?: boolean;

  @FlagField({ optional: true, about: 'An inactive agent writes no drafts and no replies.' })
  isActive?: boolean;
}

export class AgentQuery extends SearchPageQuery {}
