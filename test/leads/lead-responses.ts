export interface Lead {
  _id: string;
  email: string;
  firstName: string;
  variables: Record<string, string>;
  status: string;
  stopReason: string | null;
  resumeAt: string | null;
  dueAt: string | null;
  step: { id: string; order: number } | null;
  sentCount: number;
  [field: string]: unknown;
}

export interface Skipped {
  index: number;
  email: string;
  reason: string;
}

export interface Added {
  created: number;
  leads: { index: number; _id: string; email: string }[];
  duplicates: Skipped[];
  suppressed: Skipped[];
}

export interface Page {
  data: Lead[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}
