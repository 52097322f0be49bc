{
 "schema": "fairstats/monitor/1",
 "decision": "hired",
 "groups": "g",
 "period": "month",
 "favorable": "1",
 "reference": "m",
 "margin": 0.0,
 "conf_level": 0.95,
 "left_out": 0,
 "labels": [
  "f",
  "m"
 ],
 "periods": [
  "2020-01",
  "2020-02",
  "2020-03",
  "2020-04"
 ],
 "people": [
  [
   44,
   56
  ],
  [
   45,
   55
  ],
  [
   48,
   52
  ],
  [
   42,
   58
  ]
 ],
 "selected": [
  [
   23,
   32
  ],
  [
   28,
   27
  ],
  [
   20,
   27
  ],
  [
   23,
   25
  ]
 ],
 "baseline": "",
 "looks": 0,
 "spending": "",
 "decisions": [
  "0",
  "1"
 ],
 "sha256": "d8070de52e81ad1c2750ea928ca290116354eeaf0fc740f04f6686aedb1e2c5a"
}
