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
  @UrlField({ max: MAX_URL, optional: true, about: 'Where reading begins; by default the website of the agent.' })
  url?: string;
}

class TrainingProgressResponse {
  @count('Pages of the site that are known so far.')
  found!: number;

  @count('Pages of which the text was taken; 50 at most.')
  read!: number;

  @count('Pages that were not read; each has its reason.')
  skipped!: number;

  @count('Both together: what the list of pages has.')
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

  @ApiProperty({ type: 'string', description: 'Where reading begins.' })
  url!: string;

  @ApiProperty({ type: 'string', enum: TRAINING_STATUSES })
  status!: TrainingStatus;

  @ApiProperty({ type: TrainingProgressResponse })
  progress!: TrainingProgressResponse;

  @ApiProperty({ type: TrainingProblemResponse, nullable: true, description: 'Why it failed.' })
  error!: TrainingProblem | null;

  @ApiProperty({
    type: CompanyProfileResponse,
    nullable: true,
    description: 'What the agent writes by: of the last training that was completed.',
  })
  profile!: CompanyProfile | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Why that training has no profile although it was completed: an error code.',
  })
  profileReason!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null while it is pending.' })
  startedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When it was over, however.' })
  completedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export class AgentPageResponse {
  @ApiProperty({ type: 'string' })
  url!: string;

  @ApiProperty({ type: 'string', enum: PAGE_STATUSES })
  status!: PageStatus;

  @ApiProperty({ type: 'string', enum: PAGE_REASONS, nullable: true, description: 'null for one that was read.' })
  reason!: PageReason | null;

  @ApiProperty({ type: 'string', nullable: true })
  title!: string | null;

  @count('Length of the text that was taken.')
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
