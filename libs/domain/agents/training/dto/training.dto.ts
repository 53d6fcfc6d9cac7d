import { PAGE_REASONS, PAGE_STATUSES, type PageReason, type PageStatus } from '@adapters/web';
import { ApiProperty } from '@nestjs/swagger';
import { UrlField } from '@platform/validation';
import { type CompanyProfile } from '../profile/company-profile';
import { type AgentPageRecord } from '../schemas/agent-page.record';
import {
  type AgentTrainingRecord,
  TRAINING_STATUSES,
  type TrainingProblem,
  type TrainingStatus,
} from '../schemas/agent-training.record';

const MAX_URL = 500;

const count = (description: string) => ApiProperty({ type: 'integer', minimum: 0, description });
const texts = () => ApiProperty({ type: 'string', isArray: true });

export class TrainAgentRequest {
  @UrlField({ max: MAX_URL, optional: true, about: 'First page to read; by default the website of the agent.' })
  url?: string;
}

class TrainingProgressResponse {
  @count('Number of known pages of the site so far.')
  found!: number;

  @count('Number of pages that were read; at most 50.')
  read!: number;

  @count('Number of skipped pages; each has its reason.')
  skipped!: number;

  @count('The sum of both: the length of the list of pages.')
  pages!: number;
}

class TrainingProblemResponse {
  @ApiProperty({ type: 'string', example: 'SITE_UNREADABLE' })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;
}

class ProfileAnswerResponse {
  @ApiProperty({ type: 'string' })
  question!: string;

  @ApiProperty({ type: 'string' })
  answer!: string;
}

class CompanyProfileResponse {
  @ApiProperty({ type: 'string' })
  summary!: string;

  @texts()
  offerings!: string[];

  @texts()
  audiences!: string[];

  @texts()
  differentiators!: string[];

  @texts()
  proof!: string[];

  @ApiProperty({ type: ProfileAnswerResponse, isArray: true })
  faq!: ProfileAnswerResponse[];
}

export class AgentTrainingResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  agentId!: string;

  @ApiProperty({ type: 'string', description: 'The first page to read.' })
  url!: string;

  @ApiProperty({ type: 'string', enum: TRAINING_STATUSES })
  status!: TrainingStatus;

  @ApiProperty({ type: TrainingProgressResponse })
  progress!: TrainingProgressResponse;

  @ApiProperty({ type: TrainingProblemResponse, nullable: true, description: 'Why the training failed.' })
  error!: TrainingProblem | null;

  @ApiProperty({
    type: CompanyProfileResponse,
    nullable: true,
    description: 'The profile in use: that of the last completed training.',
  })
  profile!: CompanyProfile | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Why that completed training has no profile: an error code.',
  })
  profileReason!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'null while the training is pending.',
  })
  startedAt!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the training ended, with any status.',
  })
  completedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export class AgentPageResponse {
  @ApiProperty({ type: 'string' })
  url!: string;

  @ApiProperty({ type: 'string', enum: PAGE_STATUSES })
  status!: PageStatus;

  @ApiProperty({ type: 'string', enum: PAGE_REASONS, nullable: true, description: 'null for a page that was read.' })
  reason!: PageReason | null;

  @ApiProperty({ type: 'string', nullable: true })
  title!: string | null;

  @count('Length of the text.')
  characters!: number;
}

/** @param current the training in use */
export function toAgentTraining(
  record: AgentTrainingRecord,
  current: AgentTrainingRecord | null,
): AgentTrainingResponse {
  const { found, read, skipped, error, startedAt, completedAt } = record;
  const profile = current?.profile ?? null;
  return {
    _id: record._id.toHexString(),
    agentId: record.agentId.toHexString(),
    url: record.url,
    status: record.status,
    progress: { found, read, skipped, pages: read + skipped },
    error: error && { code: error.code, message: error.message },
    profile: profile && toProfile(profile),
    profileReason: current?.profileReason ?? null,
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
  };
}

export function toAgentPage({ url, status, reason, title, characters }: AgentPageRecord): AgentPageResponse {
  return { url, status, reason, title, characters };
}

function toProfile({ summary, offerings, audiences, differentiators, proof, faq }: CompanyProfile): CompanyProfile {
  const answers = faq.map(({ question, answer }) => ({ question, answer }));
  return { summary, offerings, audiences, differentiators, proof, faq: answers };
}

/** Example bodies for the API documentation. */
export const TRAINING_EXAMPLES: { train: TrainAgentRequest } = { train: { url: 'https://acme.example/en/' } };
