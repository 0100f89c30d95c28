// Package testing stands in for Go's own where tests are called outside of their program.
package testing

import (
	"fmt"
	"os"
	"runtime"
)

type TB interface {
	Cleanup(func())
	Error(...interface{})
	Errorf(string, ...interface{})
	Fail()
	FailNow()
	Failed() bool
	Fatal(...interface{})
	Fatalf(string, ...interface{})
	Helper()
	Log(...interface{})
	Logf(string, ...interface{})
	Name() string
	Setenv(string, string)
	Skip(...interface{})
	SkipNow()
	Skipf(string, ...interface{})
	Skipped() bool
	TempDir() string
}

type T struct {
	name            string
	failed, skipped bool
	said            string
	ends            []func()
	stop            func()
	inner           Around
}

// B is there for benchmarks, which are not called.
type B struct {
	T
	N int
}

func (b *B) ResetTimer()                          {}
func (b *B) StartTimer()                          {}
func (b *B) StopTimer()                           {}
func (b *B) ReportAllocs()                        {}
func (b *B) SetBytes(int64)                       {}
func (b *B) Run(string, func(*B)) bool            { return true }
func Short() bool                                 { return false }
func Verbose() bool                               { return false }
func (t *T) Helper()                              {}
func (t *T) Parallel()                            {}
func (t *T) Log(...interface{})                   {}
func (t *T) Logf(string, ...interface{})          {}
func (t *T) Name() string                         { return t.name }
func (t *T) Failed() bool                         { return t.failed }
func (t *T) Skipped() bool                        { return t.skipped }
func (t *T) Fail()                                { t.failed = true }
func (t *T) FailNow()                             { t.Fail(); t.stop() }
func (t *T) Error(said ...interface{})            { t.say(fmt.Sprint(said...)); t.Fail() }
func (t *T) Errorf(how string, of ...interface{}) { t.Error(fmt.Sprintf(how, of...)) }
func (t *T) Fatal(said ...interface{})            { t.say(fmt.Sprint(said...)); t.FailNow() }
func (t *T) Fatalf(how string, of ...interface{}) { t.Fatal(fmt.Sprintf(how, of...)) }
func (t *T) Skip(...interface{})                  { t.SkipNow() }
func (t *T) Skipf(string, ...interface{})         { t.SkipNow() }
func (t *T) SkipNow()                             { t.skipped = true; t.stop() }
func (t *T) Cleanup(end func())                   { t.ends = append(t.ends, end) }

func (t *T) say(said string) {
	if t.said == "" {
		t.said = said
	}
}

func (t *T) Setenv(name, value string) {
	before, set := os.LookupEnv(name)
	os.Setenv(name, value)
	t.Cleanup(func() {
		if set {
			os.Setenv(name, before)
		} else {
			os.Unsetenv(name)
		}
	})
}

func (t *T) TempDir() string {
	folder, err := os.MkdirTemp("", "m")
	if err != nil {
		panic(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

func (t *T) Run(name string, call func(*T)) bool {
	part := &T{name: t.name + "/" + name}
	if part.call(call, t.inner) == "unknown" {
		t.skipped = true
	}
	t.failed = t.failed || part.failed
	t.say(part.said)
	return !part.failed
}

// Around calls a test, and hands it what ends it before its time.
type Around func(name string, call func(stop func(), inner Around))

// Plain is how tests are called where nothing shows that they are.
func Plain(_ string, call func(func(), Around)) {
	ended := make(chan bool)
	go func() {
		defer func() { ended <- true }()
		call(runtime.Goexit, Plain)
	}()
	<-ended
}

// Outcome says what became of a test. What panics may need what its program does for it.
func Outcome(name string, call func(*T), around Around) string {
	t := &T{name: name}
	return t.call(call, around)
}

func (t *T) call(call func(*T), around Around) string {
	panicked := true
	around(t.name, func(stop func(), inner Around) {
		t.stop, t.inner = stop, inner
		defer func() {
			recover()
			for at := len(t.ends) - 1; at >= 0; at-- {
				t.ends[at]()
			}
		}()
		call(t)
		panicked = false
	})
	if t.failed {
		return "failed: " + t.said
	}
	if panicked || t.skipped {
		return "unknown"
	}
	return "passed"
}
