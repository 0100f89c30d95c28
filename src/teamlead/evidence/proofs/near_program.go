// A program of its own that calls functions of Go with what tests gave them, and with values like these.
//
// It is put beside the sources of a package, with a table of its functions: see near_program.py, which does the same
// for Python, and says what it prints.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const (
	teamleadMarker  = "what the inputs came to: "
	teamleadAtOnce  = 500 * time.Millisecond
	teamleadLongest = 300
	teamleadMost    = 12
)

type teamleadCall struct {
	Name  string
	Given string
}

func main() {
	if os.Args[1] == "call" {
		teamleadAnswer()
		return
	}
	var asked []teamleadCall
	text, _ := os.ReadFile(os.Args[2])
	if json.Unmarshal(text, &asked) != nil {
		os.Exit(1)
	}
	all := []teamleadCall{}
	told := [][]string{}
	for _, call := range asked {
		variants := [][]reflect.Value{nil}
		values, known := teamleadDecoded(call)
		if known {
			variants[0] = values
			if os.Args[1] == "near" {
				variants = append(variants, teamleadNear(values)...)
			}
		}
		for _, each := range variants {
			given := call.Given
			if known {
				given = teamleadEncoded(each)
			}
			all = append(all, teamleadCall{call.Name, given})
			told = append(told, []string{os.Args[3], call.Name, call.Name + "(" + teamleadWritten(each) + ")"})
		}
	}
	backward := make([]teamleadCall, 0, len(all))
	for at := len(all) - 1; at >= 0; at-- {
		backward = append(backward, all[at])
	}
	first, last := teamleadInProcessOfItsOwn(all), teamleadInProcessOfItsOwn(backward)
	for one, other := 0, len(last)-1; one < other; one, other = one+1, other-1 {
		last[one], last[other] = last[other], last[one]
	}
	line, _ := json.Marshal([]interface{}{told, first, last})
	fmt.Printf("\n%s%s\n", teamleadMarker, line)
}

// What one order leaves behind, the other does not find.
func teamleadInProcessOfItsOwn(asked []teamleadCall) []interface{} {
	unknown := make([]interface{}, len(asked))
	given, _ := json.Marshal(asked)
	reads, writes, err := os.Pipe()
	if err != nil {
		return unknown
	}
	child := exec.Command(os.Args[0], "call")
	child.Stdin, child.ExtraFiles = bytes.NewReader(given), []*os.File{writes}
	if child.Start() != nil {
		return unknown
	}
	writes.Close()
	var found []interface{}
	err = json.NewDecoder(reads).Decode(&found)
	child.Wait()
	if err != nil || len(found) != len(asked) {
		return unknown
	}
	return found
}

func teamleadAnswer() {
	var asked []teamleadCall
	json.NewDecoder(os.Stdin).Decode(&asked)
	found := make([]interface{}, len(asked))
	for at, call := range asked {
		if came := teamleadOutcome(call); came != nil {
			found[at] = came
		}
	}
	json.NewEncoder(os.NewFile(3, "told")).Encode(found)
	os.Exit(0)
}

// What it gives, and whether that is a value. Nil: nobody knows.
func teamleadOutcome(call teamleadCall) []interface{} {
	given, known := teamleadDecoded(call)
	if !known {
		return nil
	}
	ended := make(chan []interface{}, 1)
	go func() {
		defer func() {
			if recover() != nil {
				ended <- []interface{}{"panic", false}
			}
		}()
		function := reflect.ValueOf(teamleadFunctions[call.Name])
		if function.Type().IsVariadic() {
			ended <- teamleadCame(function.CallSlice(given))
		} else {
			ended <- teamleadCame(function.Call(given))
		}
	}()
	select {
	case came := <-ended:
		return came
	case <-time.After(teamleadAtOnce):
		return nil
	}
}

func teamleadCame(results []reflect.Value) []interface{} {
	told := []string{}
	for _, each := range results {
		if err, failed := each.Interface().(error); failed {
			return []interface{}{fmt.Sprintf("%T", err), false}
		}
		told = append(told, fmt.Sprintf("%#v", each.Interface()))
	}
	text := strings.Join(told, ", ")
	if strings.Contains(text, ")(0x") { // The place of a value in memory is no value.
		return nil
	}
	if len(text) > teamleadLongest {
		text = text[:teamleadLongest]
	}
	return []interface{}{text, len(told) > 0}
}

func teamleadDecoded(call teamleadCall) ([]reflect.Value, bool) {
	function := reflect.TypeOf(teamleadFunctions[call.Name])
	var texts []json.RawMessage
	if function == nil || json.Unmarshal([]byte(call.Given), &texts) != nil || len(texts) != function.NumIn() {
		return nil, false
	}
	values := []reflect.Value{}
	for at, text := range texts {
		value := reflect.New(function.In(at))
		if !teamleadIsPlain(function.In(at)) || json.Unmarshal(text, value.Interface()) != nil {
			return nil, false
		}
		values = append(values, value.Elem())
	}
	return values, true
}

func teamleadIsPlain(kind reflect.Type) bool {
	switch kind.Kind() {
	case reflect.Slice:
		return teamleadIsPlain(kind.Elem())
	case reflect.Map:
		return teamleadIsPlain(kind.Key()) && teamleadIsPlain(kind.Elem())
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return true
	}
	return false
}

func teamleadEncoded(values []reflect.Value) string {
	given := []interface{}{}
	for _, each := range values {
		given = append(given, each.Interface())
	}
	text, _ := json.Marshal(given)
	return string(text)
}

func teamleadWritten(values []reflect.Value) string {
	told := []string{}
	for _, each := range values {
		shown := "%#v"
		if kind := each.Kind(); kind >= reflect.Uint && kind <= reflect.Uint64 {
			shown = "%d"
		}
		told = append(told, fmt.Sprintf(shown, each.Interface()))
	}
	return strings.Join(told, ", ")
}

// Arguments of which one is a little different.
func teamleadNear(values []reflect.Value) [][]reflect.Value {
	known, found := map[string]bool{teamleadEncoded(values): true}, [][]reflect.Value{}
	for place, value := range values {
		for _, other := range teamleadNearValue(value) {
			changed := append([]reflect.Value{}, values...)
			changed[place] = other
			if text := teamleadEncoded(changed); text != "" && !known[text] {
				known[text] = true
				found = append(found, changed)
			}
		}
	}
	// Of several arguments each has its turn.
	step := len(found) / teamleadMost
	if step < 1 {
		step = 1
	}
	turns := [][]reflect.Value{}
	for at := 0; at < len(found) && len(turns) < teamleadMost; at += step {
		turns = append(turns, found[at])
	}
	return turns
}

func teamleadNearValue(value reflect.Value) []reflect.Value {
	found := []reflect.Value{}
	add := func(set func(reflect.Value)) {
		other := reflect.New(value.Type()).Elem()
		set(other)
		found = append(found, other)
	}
	switch kind := value.Kind(); {
	case kind >= reflect.Int && kind <= reflect.Int64:
		is := value.Int()
		for _, each := range teamleadInts(is) {
			if each := each; !value.OverflowInt(each) {
				add(func(other reflect.Value) { other.SetInt(each) })
			}
		}
	case kind >= reflect.Uint && kind <= reflect.Uint64:
		is := value.Uint()
		for _, each := range teamleadUints(is) {
			if each := each; !value.OverflowUint(each) {
				add(func(other reflect.Value) { other.SetUint(each) })
			}
		}
	case kind == reflect.Float32 || kind == reflect.Float64:
		is := value.Float()
		for _, each := range teamleadFloats(is) {
			each := each
			add(func(other reflect.Value) { other.SetFloat(each) })
		}
	case kind == reflect.String:
		for _, each := range teamleadNearText([]rune(value.String())) {
			each := each
			add(func(other reflect.Value) { other.SetString(each) })
		}
	case kind == reflect.Slice && value.Type().Elem().Kind() == reflect.Uint8:
		for _, each := range teamleadNearText([]rune(string(value.Bytes()))) {
			each := each
			add(func(other reflect.Value) { other.SetBytes([]byte(each)) })
		}
	case kind == reflect.Slice:
		found = teamleadNearItems(value)
	case kind == reflect.Map:
		found = teamleadNearMap(value)
	}
	return found
}

// A rule may be about the last digits.
func teamleadInts(is int64) []int64 {
	return []int64{is + 100, is + 1, is - 1, is + 2, is - 2, is * 2, is / 2, is + 10, is - 10, is*3 + 1, -is}
}

func teamleadUints(is uint64) []uint64 {
	return []uint64{is + 100, is + 1, is - 1, is + 2, is - 2, is * 2, is / 2, is + 10, is - 10, is*3 + 1}
}

func teamleadFloats(is float64) []float64 {
	return []float64{is + 100, is + 1, is - 1, is + 2, is - 2, is * 2, is / 2, is + 10, is - 10, is*3 + 1, -is}
}

func teamleadNearItems(value reflect.Value) []reflect.Value {
	if value.Len() == 0 {
		return nil
	}
	copied := func() reflect.Value {
		return reflect.AppendSlice(reflect.MakeSlice(value.Type(), 0, value.Len()), value)
	}
	turned := copied()
	for at := 0; at < value.Len(); at++ {
		turned.Index(at).Set(value.Index(value.Len() - 1 - at))
	}
	found := []reflect.Value{copied().Slice(0, value.Len()-1), turned, reflect.Append(copied(), value.Index(0))}
	for at := 0; at < value.Len() && at < 3; at++ {
		for number, each := range teamleadNearValue(value.Index(at)) {
			if number < 3 {
				other := copied()
				other.Index(at).Set(each)
				found = append(found, other)
			}
		}
	}
	return found
}

func teamleadNearMap(value reflect.Value) []reflect.Value {
	found := []reflect.Value{}
	keys := value.MapKeys()
	sort.Slice(keys, func(one, other int) bool {
		return fmt.Sprint(keys[one].Interface()) < fmt.Sprint(keys[other].Interface())
	})
	for number, key := range keys {
		if number == 3 {
			break
		}
		other := func(item reflect.Value) {
			made := reflect.MakeMap(value.Type())
			for _, each := range keys {
				made.SetMapIndex(each, value.MapIndex(each))
			}
			made.SetMapIndex(key, item)
			found = append(found, made)
		}
		other(reflect.Value{})
		for number, each := range teamleadNearValue(value.MapIndex(key)) {
			if number < 4 {
				other(each)
			}
		}
	}
	return found
}

func teamleadNearText(text []rune) []string {
	found, last := []string{}, len(text)-1
	if last < 0 {
		return found
	}
	for _, place := range []int{len(text) / 2, last, 0, 1} {
		if place <= last {
			found = append(found, string(text[:place])+teamleadNext(text[place])+string(text[place+1:]))
		}
	}
	swapped, turned := []rune{}, []rune{}
	for at, each := range text {
		if unicode.IsUpper(each) {
			swapped = append(swapped, unicode.ToLower(each))
		} else {
			swapped = append(swapped, unicode.ToUpper(each))
		}
		turned = append(turned, text[last-at])
	}
	whole := string(text)
	return append(found, whole+teamleadNext(text[last]), string(text[:last]), string(swapped), string(turned), whole+string(text[last]))
}

// Another one of its kind.
func teamleadNext(letter rune) string {
	switch {
	case letter >= '0' && letter <= '9':
		return strconv.Itoa(int(letter-'0'+1) % 10)
	case letter >= 'a' && letter <= 'z':
		return string(rune('a' + (letter-'a'+1)%26))
	case letter >= 'A' && letter <= 'Z':
		return string(rune('A' + (letter-'A'+1)%26))
	}
	return string(letter)
}
