/** The features that can be turned off for a center or may be missing from its plan. */
export const features = ['booking', 'workflows', 'webhooks', 'proofApi', 'proofPage', 'whiteLabel'] as const;

export type Feature = (typeof features)[number];

interface FeatureText {
  name: string;
  description: string;
  /** The name used in plans. A feature without one is part of every plan. */
  inPlans?: string;
  /** Whether the partner's settings control it. */
  switchable: boolean;
}

export const featureTexts: Record<Feature, FeatureText> = {
  booking: {
    name: 'Booking',
    description: 'The calendar: weekly hours, free slots and bookings.',
    inPlans: 'booking',
    switchable: true,
  },
  workflows: {
    name: 'Workflows',
    description: 'Workflows and their runs, started by hand, on a schedule or by an event.',
    inPlans: 'workflows',
    switchable: true,
  },
  webhooks: {
    name: 'Webhooks',
    description: 'Endpoints that receive the events of the center.',
    inPlans: 'webhooks',
    switchable: true,
  },
  proofApi: {
    name: 'Proof API',
    description: 'API keys: the Proof API and the MCP server for agents.',
    inPlans: 'proof api',
    switchable: true,
  },
  proofPage: {
    name: 'Public proof pages',
    description: 'A public page for each sealed record.',
    switchable: true,
  },
  whiteLabel: {
    name: 'White label',
    description: 'Name, logo, colors and custom domain of the partner.',
    inPlans: 'white label',
    switchable: false,
  },
};

/** Further entries in plans, as text. */
const otherEntries: Record<string, string> = {
  'decision records': 'A tamper-evident record of every decision.',
  'chain verification': 'Verification of all records at any time.',
  'therapy plans': 'Templates for therapy plans.',
  'priority support': 'Support requests are answered first.',
  courses: 'Courses on the learning host.',
  attendance: 'Attendance records.',
  certificates: 'Certificates with a proof.',
  assessments: 'Assessments on the learning host.',
};

/** One line of a plan as text. */
export interface PlanEntry {
  id: string;
  name: string;
  description: string;
}

/** The names of a plan's features. An entry that is not in the catalog keeps its own text. */
export function planEntries(entries: readonly string[]): PlanEntry[] {
  return entries.map((entry) => {
    const feature = features.find((each) => featureTexts[each].inPlans === entry);
    if (feature) {
      const { name, description } = featureTexts[feature];
      return { id: feature, name, description };
    }
    return { id: entry, name: capitalized(entry), description: otherEntries[entry] ?? '' };
  });
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
