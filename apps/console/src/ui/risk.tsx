import { percent } from '../text/labels.ts';
import classes from './risk.module.css';

const levelOf = (risk: number) => (risk >= 0.7 ? 'high' : risk >= 0.4 ? 'medium' : 'low');
/** For filters: a request without a risk score matches none of them. */
export const riskLevelOf = (risk: number | null) => (risk === null ? 'none' : levelOf(risk));

const words = { high: 'High', medium: 'Medium', low: 'Low' };

/** In a list: the score with its label. */
export function RiskMark({ risk }: { risk: number | null }) {
  if (risk === null) return <span />;
  const level = levelOf(risk);
  return (
    <span className={classes.mark} data-level={level} title={`${words[level]} risk`}>
      <span className="visually-hidden">Risk </span>
      {percent(risk)}
    </span>
  );
}

/** A bar with its number: risk, where high is bad, or confidence, where high is good. */
export function Meter({
  label,
  value,
  kind,
}: {
  label: string;
  value: number | null;
  kind: 'risk' | 'confidence';
}) {
  const level =
    value === null
      ? 'none'
      : kind === 'risk'
        ? levelOf(value)
        : value >= 0.7
          ? 'low'
          : value >= 0.4
            ? 'medium'
            : 'high';
  return (
    <div className={classes.meter} data-level={level}>
      <div className={classes.row}>
        <span className={classes.label}>{label}</span>
        <strong>{value === null ? 'Not rated' : percent(value)}</strong>
      </div>
      <div className={classes.track} aria-hidden="true">
        <div className={classes.fill} style={{ width: `${(value ?? 0) * 100}%` }} />
      </div>
    </div>
  );
}
