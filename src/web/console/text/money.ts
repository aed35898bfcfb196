/** An amount in the currency's smallest unit, as people write it. */
export function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  const value = amount / 10 ** maximumFractionDigits;
  return Number.isInteger(value)
    ? new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 0 }).format(
        value,
      )
    : format.format(value);
}

/** The other way round: 49.5 euros are 4950 cents. */
export function smallestUnits(value: number, currency: string): number {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return Math.round(value * 10 ** maximumFractionDigits);
}
